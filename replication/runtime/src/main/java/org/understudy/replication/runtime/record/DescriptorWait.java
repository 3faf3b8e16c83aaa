package org.understudy.replication.runtime.record;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens files, and waits while no file descriptor is free. Clients can use them all up for a moment, and a replica that then failed to
 * store a record would halt for good, each replica of a group in the same view change. The protocol sees a slow disk instead.
 */
final class DescriptorWait {
  /** The text of EMFILE and the begin of that of ENFILE, on each system with POSIX errors. */
  private static final String REASON = "Too many open files";
  private static final long PAUSE_MS = 20;
  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final Logger LOG = LoggerFactory.getLogger(DescriptorWait.class);

  /** Opens one file. */
  @FunctionalInterface
  interface Opening {
    FileChannel open() throws IOException;
  }

  private DescriptorWait() {}

  /** Opens the file as {@link FileChannel#open(Path, Set, java.nio.file.attribute.FileAttribute[])} does. */
  static FileChannel open(Path path, Set<? extends OpenOption> options) throws IOException {
    return open(() -> FileChannel.open(path, options));
  }

  /** @throws IOException also when no descriptor has become free within 30 s */
  static FileChannel open(Opening opening) throws IOException {
    long end = System.nanoTime() + MAX_NANOS;
    boolean warned = false;
    while (true) {
      try {
        return opening.open();
      } catch (FileSystemException e) {
        if (e.getReason() == null || !e.getReason().startsWith(REASON) || System.nanoTime() - end > 0) {
          throw e;
        }
        if (!warned) {
          warned = true;
          LOG.warn(
              "{} cannot be opened: no file descriptor is free. The record waits up to {} s for one. Raise the limit (ulimit -n) above"
                  + " maxConnections of the connector.",
              e.getFile(), TimeUnit.NANOSECONDS.toSeconds(MAX_NANOS));
        }
      }
      pause();
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("The replica is being stopped.").initCause(e);
    }
  }
}
