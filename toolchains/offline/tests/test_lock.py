"""Two provisionings at once: the second waits, and says for whom."""

import fcntl
import os
import threading

from provision.lock import Lock

from .support import CacheTest


class LockTest(CacheTest):
    def test_second_waits_and_says_for_whom(self):
        order = []

        def second():
            with Lock(self.cache.lock, self.report):
                order.append("second")

        with Lock(self.cache.lock, self.report):
            thread = threading.Thread(target=second)
            thread.start()
            while "waiting" not in self.said():
                thread.join(0.01)
            order.append("first")
        thread.join()
        self.assertEqual(order, ["first", "second"])
        self.assertRegex(
            self.said(), rf"waiting for process {os.getpid()}, started \d\d:\d\d:\d\d, which is provisioning"
        )

    def test_is_free_after_use(self):
        with Lock(self.cache.lock, self.report):
            pass
        with open(self.cache.lock) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self.assertEqual(self.said(), "")
