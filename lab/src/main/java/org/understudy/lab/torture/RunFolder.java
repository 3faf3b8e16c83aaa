package org.understudy.lab.torture;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * The folder of a run, locked until it is closed or this process ends. Folders of interrupted runs, which nobody locks and which have no
 * history, are removed by the next run.
 */
final class RunFolder implements AutoCloseable {
  /** The file with the history; a run that has an end has it. */
  static final String HISTORY = "history.jsonl";
  private static final String PREFIX = "torture-";
  private static final String LOCK = "lock";

  private final Path path;
  private final FileChannel lock;

  private RunFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Makes one.
   *
   * @param parent of the folders of all runs, which is made if it is missing
   */
  static RunFolder create(Path parent, long seed) throws IOException {
    Files.createDirectories(parent);
    removeInterrupted(parent);
    Path folder = Files.createTempDirectory(parent, PREFIX + seed + "-");
    FileChannel channel = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (channel.tryLock() == null) {
      throw new IOException(folder + " is locked by another process.");
    }
    return new RunFolder(folder, channel);
  }

  Path path() {
    return path;
  }

  /** Removes it. */
  void delete() throws IOException {
    delete(path);
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }

  private static void removeInterrupted(Path parent) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path folder : folders) {
        if (!Files.exists(folder.resolve(HISTORY)) && Files.exists(folder.resolve(LOCK)) && unlocked(folder)) {
          delete(folder);
        }
      }
    }
  }

  private static boolean unlocked(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder.resolve(LOCK), StandardOpenOption.WRITE); FileLock lock = channel.tryLock()) {
      return lock != null;
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
