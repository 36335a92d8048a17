"""The packaged schema documents, which the contract and the sandbox share: read, inlined and bundled."""
