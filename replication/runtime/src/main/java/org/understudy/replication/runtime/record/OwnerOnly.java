package org.understudy.replication.runtime.record;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Restricts files of a replica to their owner, where the file system has permissions. */
final class OwnerOnly {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerOnly.class);
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");

  private OwnerOnly() {}

  /** Restricts an existing path; does nothing for a missing one. */
  static void restrict(Path path) {
    PosixFileAttributeView view = Files.getFileAttributeView(path, PosixFileAttributeView.class);
    if (view == null || !Files.exists(path)) {
      return;
    }
    Set<PosixFilePermission> wanted = Files.isDirectory(path) ? DIRECTORY : FILE;
    try {
      if (!view.readAttributes().permissions().equals(wanted)) {
        view.setPermissions(wanted);
      }
    } catch (IOException | UnsupportedOperationException e) {
      LOG.warn("Other users may read or change {}: its permissions cannot be restricted ({}).", path, e.toString());
    }
  }
}
