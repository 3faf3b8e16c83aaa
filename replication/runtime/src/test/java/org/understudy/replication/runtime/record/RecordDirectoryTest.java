package org.understudy.replication.runtime.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.membership.MembershipRecord;
import org.understudy.replication.core.record.RecordKind;

class RecordDirectoryTest {
  private static final Set<RecordKind<?>> KINDS = Set.of(MembershipRecord.KIND);
  private static final GroupIdentity GROUP =
      new GroupIdentity("test", "primary-backup", List.of(new ReplicaId(1), new ReplicaId(2)));
  private static final View VIEW = new View(4, List.of(new ReplicaId(2), new ReplicaId(1)));
  private static final MembershipRecord RECORD = new MembershipRecord(5, new ReplicaId(2), VIEW, VIEW, true);

  @TempDir Path directory;

  @BeforeEach
  void onlyWhereFilesHavePermissions() {
    assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("posix"));
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void onlyTheOwnerCanReadAndWriteTheRecord() throws Exception {
    Path own = directory.resolve("group").resolve("replica-1");
    try (RecordDirectory file = RecordDirectory.open(own, GROUP, KINDS)) {
      file.store(List.of(RECORD));
      assertEquals(RECORD, MembershipRecord.of(file.load()));
    }
    assertEquals("rwx------", permissions(own));
    assertEquals("rw-------", permissions(own.resolve("membership")));
    assertEquals("rw-------", permissions(own.resolve("lock")));
  }

  @Test
  void permissionsOfExistingFilesAreRestricted() throws Exception {
    try (RecordDirectory file = RecordDirectory.open(directory, GROUP, KINDS)) {
      file.store(List.of(RECORD));
    }
    for (String name : List.of("membership", "lock")) {
      Files.setPosixFilePermissions(directory.resolve(name), PosixFilePermissions.fromString("rw-rw-rw-"));
    }
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (RecordDirectory file = RecordDirectory.open(directory, GROUP, KINDS)) {
      assertEquals("rwx------", permissions(directory));
      assertEquals("rw-------", permissions(directory.resolve("membership")));
      assertEquals("rw-------", permissions(directory.resolve("lock")));
      assertEquals(RECORD, MembershipRecord.of(file.load()));
    }
  }

  /** For example one that was copied with the whole disk, to set a replica up anew. */
  @Test
  void theDirectoryOfAnotherReplicaIsRefused() throws Exception {
    try (RecordDirectory own = RecordDirectory.open(directory, GROUP, KINDS)) {
      own.claim(new ReplicaId(1));
      own.store(List.of(RECORD));
    }
    try (RecordDirectory again = RecordDirectory.open(directory, GROUP, KINDS)) {
      again.claim(new ReplicaId(1));
      assertEquals(RECORD, MembershipRecord.of(again.load()));
    }
    try (RecordDirectory copy = RecordDirectory.open(directory, GROUP, KINDS)) {
      IOException refused = assertThrows(IOException.class, () -> copy.claim(new ReplicaId(2)));
      assertTrue(refused.getMessage().contains("belongs to replica 1, and this is replica 2"), refused.getMessage());
    }
    assertEquals("rw-------", permissions(directory.resolve("replica")));
  }

  /** Of a version that did not write the file, or of a crash while it was written. */
  @Test
  void aDirectoryWithoutAnOwnerIsClaimed() throws Exception {
    try (RecordDirectory own = RecordDirectory.open(directory, GROUP, KINDS)) {
      own.store(List.of(RECORD));
      Files.createFile(directory.resolve("replica"));
      own.claim(new ReplicaId(2));
      assertEquals(RECORD, MembershipRecord.of(own.load()));
      assertThrows(IOException.class, () -> own.claim(new ReplicaId(1)));
    }
  }
}
