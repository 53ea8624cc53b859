"""Worker processes for jobs that are expensive, or meet what is not trusted: searches, pictures, records, addresses.

``pool`` is the server's side, ``process`` the worker's; ``think``, ``draw``, ``read`` and ``outbound`` are the jobs.
``remote`` queues jobs in Redis for ``remote_worker``, on any machine.
"""
