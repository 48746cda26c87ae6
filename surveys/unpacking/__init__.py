"""Files from outside, unpacked in a child process with limits of memory and time."""
