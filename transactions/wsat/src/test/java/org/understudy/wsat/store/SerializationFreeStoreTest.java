package org.understudy.wsat.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.Uid;
import com.arjuna.ats.arjuna.exceptions.ObjectStoreException;
import com.arjuna.ats.arjuna.objectstore.StateStatus;
import com.arjuna.ats.arjuna.state.InputObjectState;
import com.arjuna.ats.arjuna.state.OutputObjectState;
import com.arjuna.mwlabs.wscf.model.twophase.arjunacore.ATCoordinator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.LogRecorder;

class SerializationFreeStoreTest {
  private static final String TYPE = new ATCoordinator().type();
  private static final OutputObjectState FIRST = state("the first decision");
  private static final OutputObjectState SECOND = state("the second");

  @TempDir
  Path directory;

  private final Uid id = new Uid();

  @AfterEach
  void forget() {
    StoreFailpoint.listen(StoreFailpoint.Listener.NONE);
  }

  private static SerializationFreeStore store(Path directory) throws Exception {
    ObjectStoreEnvironmentBean settings = new ObjectStoreEnvironmentBean();
    settings.setObjectStoreDir(directory.toString());
    SerializationFreeStore store = new SerializationFreeStore(settings);
    store.open();
    return store;
  }

  private static OutputObjectState state(String content) {
    return new OutputObjectState(new Uid(), TYPE, content.getBytes(StandardCharsets.UTF_8));
  }

  /** What a restart reads; null for nothing. */
  private byte[] read(Path where) throws Exception {
    InputObjectState state = store(where).read_committed(id, TYPE);
    return state == null ? null : state.buffer();
  }

  private static List<Path> files(Path where) throws IOException {
    try (Stream<Path> files = Files.walk(where)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private static Path copy(Path from, Path to) {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
      return to;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a step and returns, for each failpoint in it, a copy of the disk, from which a loss of power has taken what was not forced. */
  private Map<StoreFailpoint, Path> disks(Path store, boolean torn, Step step) throws Exception {
    Map<StoreFailpoint, Path> disks = new EnumMap<>(StoreFailpoint.class);
    StoreFailpoint.listen((point, type, file) -> {
      Path copy = copy(store, directory.resolve(point + "-" + torn + "-" + store.getFileName()));
      if (torn && point == StoreFailpoint.WRITE_UNFORCED) {
        try {
          StoreHalt.tear(copy.resolve(store.relativize(file)));
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      disks.put(point, copy);
    });
    step.run();
    StoreFailpoint.listen(StoreFailpoint.Listener.NONE);
    return disks;
  }

  private interface Step {
    void run() throws Exception;
  }

  private static boolean isWritten(StoreFailpoint point) {
    return point.compareTo(StoreFailpoint.WRITE_PLACED) >= 0;
  }

  @Test
  void aHaltLeavesTheRecordWholeOrAsItWas() throws Exception {
    for (boolean torn : new boolean[] {false, true}) {
      Path where = Files.createDirectory(directory.resolve("store-" + torn));
      SerializationFreeStore store = store(where);
      Map<StoreFailpoint, Path> first = disks(where, torn, () -> assertTrue(store.write_committed(id, TYPE, FIRST)));
      assertEquals(5, first.size());
      for (Map.Entry<StoreFailpoint, Path> disk : first.entrySet()) {
        assertArrayEquals(isWritten(disk.getKey()) ? FIRST.buffer() : null, read(disk.getValue()), disk.toString());
        assertEquals(isWritten(disk.getKey()) ? 1 : 0, files(disk.getValue()).size(), "nothing else is left");
      }
      Path again = copy(where, directory.resolve("again-" + torn));
      SerializationFreeStore rewritten = store(again);
      Map<StoreFailpoint, Path> second = disks(again, torn, () -> assertTrue(rewritten.write_committed(id, TYPE, SECOND)));
      assertEquals(5, second.size());
      for (Map.Entry<StoreFailpoint, Path> disk : second.entrySet()) {
        assertArrayEquals(isWritten(disk.getKey()) ? SECOND.buffer() : FIRST.buffer(), read(disk.getValue()), disk.toString());
      }
      Path last = copy(again, directory.resolve("last-" + torn));
      SerializationFreeStore removed = store(last);
      Map<StoreFailpoint, Path> third = disks(last, torn, () -> assertTrue(removed.remove_committed(id, TYPE)));
      assertArrayEquals(SECOND.buffer(), read(third.get(StoreFailpoint.REMOVE_BEFORE)));
      assertNull(read(third.get(StoreFailpoint.REMOVE_AFTER)));
    }
  }

  @Test
  void aWriteThatFailsLeavesTheRecordAsItWas() throws Exception {
    SerializationFreeStore store = store(directory);
    assertTrue(store.write_committed(id, TYPE, FIRST));
    Path unfinished = directory.resolve("SerializationFreeStore").resolve("unfinished");
    Files.delete(unfinished);
    try (LogRecorder log = LogRecorder.of(Level.WARNING, "org.understudy.wsat.store")) {
      assertThrows(ObjectStoreException.class, () -> store.write_committed(id, TYPE, SECOND));
      assertEquals(1, log.lines().size(), log.lines().toString());
    }
    Files.createDirectory(unfinished);
    assertArrayEquals(FIRST.buffer(), read(directory));
  }

  @Test
  void aDamagedRecordIsReportedAndHiddenUntilItIsRestored() throws Exception {
    Uid other = new Uid();
    SerializationFreeStore store = store(directory);
    assertTrue(store.write_committed(id, TYPE, FIRST));
    Path file = files(directory).get(0);
    assertTrue(store.write_committed(other, TYPE, SECOND));
    byte[] whole = Files.readAllBytes(file);
    for (int at = 0; at < whole.length; at++) {
      Files.write(file, Arrays.copyOf(whole, at));
      assertUnreadable(other, file);
      byte[] flipped = whole.clone();
      flipped[at] ^= 1;
      Files.write(file, flipped);
      assertUnreadable(other, file);
    }
    SerializationFreeStore restored = store(directory);
    assertTrue(restored.isUnreadableDecision(null));
    Files.write(file, whole);
    assertFalse(restored.isUnreadableDecision(id.stringForm()));
    assertFalse(restored.isUnreadableDecision(null));
    assertArrayEquals(FIRST.buffer(), restored.read_committed(id, TYPE).buffer());
  }

  private void assertUnreadable(Uid other, Path file) throws Exception {
    try (LogRecorder log = LogRecorder.of(Level.WARNING, "org.understudy.wsat.store")) {
      SerializationFreeStore damaged = store(directory);
      assertTrue(damaged.isUnreadableDecision(id.stringForm()));
      assertTrue(damaged.isUnreadableDecision(null));
      assertFalse(damaged.isUnreadableDecision(other.stringForm()));
      assertFalse(damaged.hasUnreadableVote());
      assertEquals(StateStatus.OS_UNKNOWN, damaged.currentState(id, TYPE));
      assertThrows(ObjectStoreException.class, () -> damaged.read_committed(id, TYPE));
      assertArrayEquals(SECOND.buffer(), damaged.read_committed(other, TYPE).buffer());
      assertEquals(1, log.lines().size(), log.lines().toString());
      assertTrue(log.lines().get(0).contains(file.toString()), log.lines().toString());
    }
  }

  /** An operator has moved the damaged file aside, and restored the record. */
  @Test
  void aFileWithAnotherNameIsNoRecord() throws Exception {
    SerializationFreeStore store = store(directory);
    assertTrue(store.write_committed(id, TYPE, FIRST));
    Path file = files(directory).get(0);
    Path aside = file.resolveSibling(file.getFileName() + ".damaged");
    Files.copy(file, aside);
    StoreHalt.tear(aside);
    try (LogRecorder log = LogRecorder.of(Level.WARNING, "org.understudy.wsat.store")) {
      SerializationFreeStore restored = store(directory);
      assertFalse(restored.isUnreadableDecision(null));
      assertEquals(List.of(id), restored.earlierDecisions());
      assertArrayEquals(FIRST.buffer(), restored.read_committed(id, TYPE).buffer());
      assertEquals(List.of(), log.lines());
    }
  }

  @Test
  void aRemovedFileEndsTheDoubt() throws Exception {
    SerializationFreeStore store = store(directory);
    assertTrue(store.write_committed(id, TYPE, FIRST));
    Path file = files(directory).get(0);
    StoreHalt.tear(file);
    SerializationFreeStore damaged = store(directory);
    assertTrue(damaged.isUnreadableDecision(id.stringForm()));
    Files.delete(file);
    assertFalse(damaged.isUnreadableDecision(id.stringForm()));
    assertNull(damaged.read_committed(id, TYPE));
  }
}
