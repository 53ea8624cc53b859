"""Worker processes for jobs that are expensive, or read untrusted files: engine searches, pictures, records.

``pool`` is the server's side, ``process`` the worker's; ``think``, ``draw`` and ``read`` are the jobs. ``remote``
queues jobs in Redis for ``remote_worker``, on any machine.
"""
