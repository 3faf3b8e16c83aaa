package org.understudy.wsat.store;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.Uid;
import com.arjuna.ats.arjuna.exceptions.ObjectStoreException;
import com.arjuna.ats.arjuna.objectstore.StateStatus;
import com.arjuna.ats.arjuna.state.InputObjectState;
import com.arjuna.ats.arjuna.state.OutputObjectState;
import com.arjuna.ats.internal.arjuna.objectstore.ShadowNoFileLockStore;
import com.arjuna.mwlabs.wscf.model.twophase.arjunacore.ATCoordinator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jboss.jbossts.xts.recovery.participant.at.ATParticipantRecoveryRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Narayana's store in files, which writes a record whole or not at all. Narayana's own writes over the record, also over one with a
 * decision of which some participants know: a process that halts meanwhile loses it. Here a record is written beside the old one, forced,
 * and renamed over it. It has a checksum. One that cannot be used stays where it is, is reported, and is hidden from Narayana, which would
 * recover a part of it. Thread-safe.
 */
abstract class WholeRecordStore extends ShadowNoFileLockStore {
  private static final Logger LOG = LoggerFactory.getLogger(WholeRecordStore.class);
  private static final String UNFINISHED = "unfinished";

  private final UnreadableRecords unreadable =
      new UnreadableRecords(bytes -> {
        byte[] content = StoredRecord.decode(bytes);
        return content == null ? "is damaged, or an earlier version wrote it" : fault(content);
      });
  /** Of records that are not in their place yet. No restart reads them. */
  private final Path unfinished;
  private final List<Uid> earlier = new CopyOnWriteArrayList<>();

  WholeRecordStore(ObjectStoreEnvironmentBean settings) throws ObjectStoreException {
    super(settings);
    unfinished = Path.of(storeDir(), UNFINISHED);
    try {
      Files.createDirectories(unfinished);
      for (Path directory : List.of(root(), root().getParent(), root().getParent().getParent())) {
        force(directory);
      }
    } catch (IOException e) {
      throw new ObjectStoreException("The directory " + storeDir() + " cannot be used: " + e, e);
    }
  }

  /** Returns why a record with this content must not be read, as the end of a sentence that begins with the record; null if it may. */
  abstract String fault(byte[] content);

  private Path root() throws ObjectStoreException {
    return Path.of(locateStore(getStoreName()));
  }

  /**
   * Removes what a halted process has left unfinished, and reports the records that cannot be used. Call it before anything else uses the
   * directory.
   *
   * @throws IOException when the directory cannot be read
   */
  public final void open() throws IOException {
    try (Stream<Path> files = Files.list(unfinished)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.delete(file);
      }
    }
    try (Stream<Path> files = Files.walk(root())) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        Uid id = new Uid(file.getFileName().toString(), true);
        if (!id.valid()) {
          // No record, for example a copy of one that an operator has put beside it. Narayana does not read it either.
          continue;
        }
        unreadable.check(id, file);
        if (file.startsWith(directory(decisionType()))) {
          earlier.add(id);
        }
      }
    } catch (ObjectStoreException e) {
      throw new IOException(e);
    }
  }

  /** The records of decisions that were here when the store was opened. */
  public final List<Uid> earlierDecisions() {
    return List.copyOf(earlier);
  }

  /** The type of a record of a decision. */
  public final String decisionType() {
    return new ATCoordinator().type();
  }

  private Path directory(String type) throws ObjectStoreException {
    return root().resolve(type.substring(1));
  }

  /** Whether the record of a coordinator's transaction cannot be used; of null, whether there is any such record. */
  public final boolean isUnreadableDecision(String transaction) {
    return transaction == null ? hasUnreadable(decisionType()) : unreadable.contains(new Uid(transaction));
  }

  /** Whether there is a record of a participant's vote that cannot be used. */
  public final boolean hasUnreadableVote() {
    return hasUnreadable(ATParticipantRecoveryRecord.type());
  }

  private boolean hasUnreadable(String type) {
    try {
      return unreadable.isAnyIn(directory(type));
    } catch (ObjectStoreException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int currentState(Uid id, String type) throws ObjectStoreException {
    return unreadable.contains(id) ? StateStatus.OS_UNKNOWN : super.currentState(id, type);
  }

  @Override
  protected InputObjectState read_state(Uid id, String type, int kind) throws ObjectStoreException {
    Path file = Path.of(genPathName(id, type, kind));
    if (!unreadable.check(id, file)) {
      throw new ObjectStoreException("The record " + file + " cannot be used. It is not read.");
    }
    InputObjectState read = super.read_state(id, type, kind);
    return read == null ? null : new InputObjectState(id, type, StoredRecord.decode(read.buffer()));
  }

  @Override
  protected boolean write_state(Uid id, String type, OutputObjectState state, int kind) throws ObjectStoreException {
    Path file = Path.of(genPathName(id, type, kind));
    StoreFailpoint.WRITE_BEFORE.reached(type, file);
    try {
      write(file, type, StoredRecord.encode(Arrays.copyOf(state.buffer(), state.length())));
    } catch (IOException e) {
      LOG.warn(
          "The record {} of WS-AtomicTransaction cannot be written. Its transaction aborts, unless it is decided already. Check the disk.",
          file, e);
      throw new ObjectStoreException("The record " + file + " cannot be written: " + e, e);
    }
    addToCache(file.toString());
    StoreFailpoint.WRITE_AFTER.reached(type, file);
    return true;
  }

  private void write(Path file, String type, ByteBuffer bytes) throws IOException {
    createDirectories(file.getParent());
    Path fresh = Files.createTempFile(unfinished, file.getFileName().toString(), "");
    try {
      try (FileChannel out = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
        while (bytes.hasRemaining()) {
          out.write(bytes);
        }
        StoreFailpoint.WRITE_UNFORCED.reached(type, fresh);
        out.force(true);
      }
      StoreFailpoint.WRITE_UNPLACED.reached(type, fresh);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException | RuntimeException e) {
      try {
        Files.deleteIfExists(fresh);
      } catch (IOException undeleted) {
        e.addSuppressed(undeleted);
      }
      throw e;
    }
    StoreFailpoint.WRITE_PLACED.reached(type, file);
    try {
      force(file.getParent());
    } catch (IOException e) {
      // A restart reads it, so that its transaction must not abort.
      LOG.error("The directory of the record {} cannot be forced to the disk. A loss of power could lose its decision. Check the disk.",
          file, e);
    }
  }

  private static void createDirectories(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      createDirectories(directory.getParent());
      try {
        Files.createDirectory(directory);
      } catch (FileAlreadyExistsException e) {
        LOG.debug("Another thread has created the directory.", e);
      }
      force(directory.getParent());
    }
  }

  private static void force(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  protected boolean remove_state(Uid id, String type, int kind) throws ObjectStoreException {
    Path file = Path.of(genPathName(id, type, kind));
    StoreFailpoint.REMOVE_BEFORE.reached(type, file);
    boolean removed = super.remove_state(id, type, kind);
    StoreFailpoint.REMOVE_AFTER.reached(type, file);
    return removed;
  }
}
