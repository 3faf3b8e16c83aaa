package org.understudy.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicatedState;

/** Captured states with invalid bytes. */
class HostileStateTest {
  private static final int HEADER = 16;
  /** The bytes that a restore may allocate for each byte of a state; {@link #BYTES} are added for the library's own tables. */
  private static final int BYTES_PER_BYTE = 400;
  private static final int BYTES = 2 << 20;

  /** Records that it is loaded or created. */
  public static final class Bystander {
    static {
      System.setProperty("understudy.test.bystander", "loaded");
    }
  }

  private static final StateModel MODEL = StateModel.of(Shop.class, StateRules.DEFAULTS);

  private static long allocated(Runnable action) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    action.run();
    return threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
  }

  /** Restores a state, and checks that a rejected state changes nothing. */
  private static boolean isRestored(byte[] state) {
    Shop into = new Shop();
    try {
      MODEL.stateOf(into).restoreState(state);
      return true;
    } catch (IllegalArgumentException e) {
      assertEquals(0, into.count);
      assertTrue(into.orders.isEmpty());
      assertTrue(e.getMessage().startsWith("The state of "), e.getMessage());
      return false;
    }
  }

  @Test
  void mutatedStatesAreRejectedOrHoldRegisteredClassesOnly() {
    byte[] good = MODEL.stateOf(Shop.filled()).captureState();
    assertTrue(isRestored(good));
    Random random = new Random(4711);
    int restored = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bad = good.clone();
      for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
        int at = HEADER + random.nextInt(bad.length - HEADER);
        switch (random.nextInt(4)) {
          case 0 -> bad[at] = (byte) random.nextInt();
          case 1 -> bad[at] ^= (byte) (1 << random.nextInt(8));
          case 2 -> Arrays.fill(bad, at, Math.min(bad.length, at + 5), (byte) 0xff);
          default -> bad = Arrays.copyOf(bad, at);
        }
        if (bad.length <= HEADER) {
          break;
        }
      }
      byte[] state = bad;
      boolean[] done = new boolean[1];
      long bytes = allocated(() -> done[0] = isRestored(state));
      assertTrue(bytes < BYTES + (long) BYTES_PER_BYTE * state.length, "mutation " + i + " allocated " + bytes);
      restored += done[0] ? 1 : 0;
    }
    // Many mutations change a value only.
    assertTrue(restored > 0 && restored < 20_000, "restored " + restored);
  }

  static class Holder {
    @ReplicatedState List<List<String>> lists = new ArrayList<>();
    @ReplicatedState String[] none;
    @ReplicatedState(types = String.class) Map<String, Object> map = Map.of();
  }

  /** Returns a state of a holder whose fields begin with these bytes. */
  private static byte[] holder(int... bytes) {
    byte[] empty = StateModel.of(Holder.class, StateRules.DEFAULTS).stateOf(new Holder()).captureState();
    byte[] state = Arrays.copyOf(empty, HEADER + bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      state[HEADER + i] = (byte) bytes[i];
    }
    return state;
  }

  private static String refused(byte[] state) {
    StateModel model = StateModel.of(Holder.class, StateRules.DEFAULTS);
    String[] message = new String[1];
    ObjectState into = model.stateOf(new Holder());
    long bytes =
        allocated(() -> message[0] = assertThrows(IllegalArgumentException.class, () -> into.restoreState(state)).getMessage());
    assertTrue(bytes < BYTES, message[0] + " " + bytes);
    return message[0];
  }

  @Test
  void aCountBeyondTheBytesAllocatesNothing() {
    // New root, an ArrayList, new, 2^31 - 1 elements.
    int list = 54;
    String one = refused(holder(1, list, 1, 0xff, 0xff, 0xff, 0xff, 0x07));
    assertTrue(one.contains("Holder.lists") && one.contains("elements and has fewer bytes"), one);
    assertTrue(refused(holder(1, list, 1, 0xff, 0xff, 0xff, 0xff, 0x0f)).contains("negative"));
    // Nested lists, each of which claims all remaining bytes.
    int depth = 200;
    int[] nested = new int[1 + 3 * depth + 100];
    nested[0] = 1;
    for (int i = 0; i < depth; i++) {
      nested[1 + 3 * i] = list;
      nested[2 + 3 * i] = 1;
      nested[3 + 3 * i] = 100;
    }
    assertTrue(refused(holder(nested)).contains("elements and has fewer bytes"));
  }

  @Test
  void deepBytesAreRefusedBeforeTheStackOverflows() throws Exception {
    int list = 54;
    int depth = 100_000;
    int[] nested = new int[2 + 3 * depth];
    for (int i = 0; i < depth; i++) {
      nested[1 + 3 * i] = list;
      nested[2 + 3 * i] = 1;
      nested[3 + 3 * i] = 1;
    }
    nested[0] = 1;
    String[] message = new String[1];
    Thread small = new Thread(null, () -> message[0] = refused(holder(nested)), "small stack", 512 << 10);
    small.start();
    small.join();
    assertTrue(message[0] != null && message[0].contains("has more than 400 objects within objects"), message[0]);
  }

  @Test
  void noClassIsLoadedByItsName() {
    String name = Bystander.class.getName();
    // 1 is the library's mark for a class by name, followed by the number and the text.
    int[] bytes = new int[3 + name.length() + 1];
    bytes[0] = 1;
    bytes[1] = 1;
    bytes[2] = 0;
    for (int i = 0; i < name.length(); i++) {
      bytes[3 + i] = name.charAt(i);
    }
    bytes[2 + name.length()] |= 0x80;
    assertTrue(refused(holder(bytes)).contains("names a class"));
    assertEquals(null, System.getProperty("understudy.test.bystander"));
  }

  @Test
  void anUnknownClassNumberIsRejected() {
    assertTrue(refused(holder(1, 0xff, 0x01)).contains("Holder.lists"));
  }

  static class Sack implements Serializable {
    private static final long serialVersionUID = 1L;
    byte[] filler = new byte[100_000];
    Object[] nested = new Object[0];
  }

  static class Sacks {
    @ReplicatedState Sack sack = new Sack();
  }

  @Test
  void serializedArraysWithinArraysAllocateNoMoreThanTheBytes() {
    StateModel model = StateModel.of(Sacks.class, new StateRules(Set.of(Sack.class.getName(), "java.lang.Object"), 1 << 20));
    Sacks sacks = new Sacks();
    for (int depth = 0; depth < 80; depth++) {
      sacks.sack.nested = new Object[] {sacks.sack.nested};
    }
    byte[] state = model.stateOf(sacks).captureState();
    Sacks into = new Sacks();
    model.stateOf(into).restoreState(state);
    assertEquals(1, into.sack.nested.length);
    // Each array of the class that was named before, with one element, claims 90,000.
    int changed = 0;
    for (int at = 100_000; at + 10 <= state.length; at++) {
      boolean array = state[at] == ObjectStreamConstants.TC_ARRAY && state[at + 1] == ObjectStreamConstants.TC_REFERENCE;
      if (array && state[at + 9] == 1) {
        state[at + 7] = 90_000 >> 16;
        state[at + 8] = (byte) (90_000 >> 8);
        state[at + 9] = (byte) 90_000;
        changed++;
      }
    }
    assertEquals(79, changed);
    String[] message = new String[1];
    long bytes = allocated(
        () -> message[0] = assertThrows(IllegalArgumentException.class, () -> model.stateOf(into).restoreState(state)).getMessage());
    assertTrue(bytes < BYTES + 10L * state.length, message[0] + " " + bytes);
    assertTrue(message[0].contains("REJECTED"), message[0]);
    assertEquals(1, into.sack.nested.length);
  }
}
