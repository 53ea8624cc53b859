"""Processes of their own for whatever is heavy or hostile: thinking, drawing, reading records.

``pool`` is the server's side, ``process`` the other one; every kind of job has a file.
"""
