"""The pytest plugin of the suite.

A step uses the fixtures of `airworthy.suite.fixtures`, and gives its scenario an outcome of `airworthy.suite.outcomes`.
"""
