"""What the coded rules of all interfaces share, and those that bind every client."""
