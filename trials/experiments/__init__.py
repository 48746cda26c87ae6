"""The experiments of the papers in the browser: asked for, run by a worker, and shown."""
