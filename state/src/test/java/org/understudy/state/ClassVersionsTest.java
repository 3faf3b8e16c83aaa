package org.understudy.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.understudy.replication.api.ReplicatedState;

/** Two versions of a service's classes, each compiled and loaded by itself, as in two deployments. */
class ClassVersionsTest {
  private static final String SERVICE =
      """
      import java.util.*;
      import org.understudy.replication.api.ReplicatedState;

      public class Bank {
        @ReplicatedState public Map<String, Account> accounts = new HashMap<>();
        @ReplicatedState public int count = 3;
        @ReplicatedState public Legacy legacy = new Legacy();

        public enum Kind { OPEN, CLOSED }

        public record Entry(String text, long cents) {}

        public static class Named { String name = "n"; }

        public static class Account extends Named {
          Kind kind = Kind.CLOSED;
          long cents = 5;
          List<Entry> entries = new ArrayList<>(List.of(new Entry("first", 5)));
          transient Object cache;
        }

        public static class Legacy implements java.io.Serializable {
          private static final long serialVersionUID = 1L;
          int number = 7;
        }

        public Bank() {
          accounts.put("a", new Account());
        }
      }
      """;

  @TempDir Path directory;
  private int versions;

  private Class<?> version(String source) throws Exception {
    Path here = Files.createDirectory(directory.resolve("v" + versions++));
    Path file = Files.writeString(here.resolve("Bank.java"), source);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter problems = new StringWriter();
    String api = Path.of(ReplicatedState.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    boolean compiled =
        compiler.getTask(
            problems, null, null, List.of("-classpath", api, "-proc:none"), null,
            compiler.getStandardFileManager(null, null, null).getJavaFileObjects(file)).call();
    assertTrue(compiled, problems.toString());
    return new URLClassLoader(new URL[] {here.toUri().toURL()}, getClass().getClassLoader()).loadClass("Bank");
  }

  private static StateModel model(Class<?> bank) {
    return StateModel.of(bank, new StateRules(Set.of("Bank$Legacy"), 1 << 20));
  }

  private static Object make(Class<?> type) throws Exception {
    return type.getConstructor().newInstance();
  }

  private static String changed(String from, String to) {
    assertTrue(SERVICE.contains(from), from);
    return SERVICE.replace(from, to);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "a field added | long cents = 5; | long cents = 5; String currency;",
        "a field removed | long cents = 5; | ",
        "a field renamed | long cents = 5; | long money = 5;",
        "a field of another type | long cents = 5; | int cents = 5;",
        "a field now transient | Kind kind = | transient Kind kind =",
        "another type argument | Map<String, Account> | Map<Object, Account>",
        "another collection | public Map<String, Account> | public HashMap<String, Account>",
        "a constant added | OPEN, CLOSED | OPEN, CLOSED, FROZEN",
        "constants in another order | OPEN, CLOSED | CLOSED, OPEN",
        "components in another order | String text, long cents | long cents, String text",
        "another superclass | Account extends Named { | Account { String name;",
        "a state field added | public int count = 3; | public int count = 3; @ReplicatedState public int more;",
        "a state field no longer marked | @ReplicatedState public int count | public int count",
        "a serialized class with another field | int number = 7; | int number = 7; int added;",
        "a serialized class of another version | serialVersionUID = 1L | serialVersionUID = 2L"
      })
  void aChangedShapeIsRefusedBeforeItIsApplied(String what, String from, String to) throws Exception {
    String source = changed(from, to == null ? "" : to);
    if (what.equals("another type argument")) {
      source = source.replace("@ReplicatedState public Map", "@ReplicatedState(types = String.class) public Map");
    }
    if (what.equals("components in another order")) {
      source = source.replace("new Entry(\"first\", 5)", "new Entry(5, \"first\")");
    }
    Class<?> before = version(SERVICE);
    Class<?> after = version(source);
    byte[] old = model(before).stateOf(make(before)).captureState();
    Object bank = make(after);
    StateModel model = model(after);
    byte[] own = model.stateOf(bank).captureState();
    String message = assertThrows(StateException.class, () -> model.stateOf(bank).restoreState(old)).getMessage();
    assertTrue(message.contains("was captured with other fields or types") && message.contains("Nothing was restored."), message);
    assertArrayEquals(own, model.stateOf(bank).captureState());
    assertEquals(false, model.hasShape(old));
  }

  @Test
  void aVersionWithTheSameStateReadsIt() throws Exception {
    String moved = changed("long cents = 5;", "").replace("transient Object cache;", "transient int other; long cents = 9;");
    String more =
        moved.replace(
            "public Bank() {",
            "static int calls; public String name() { return \"bank\"; } public Bank() { this(4); } public Bank(int n) {");
    Class<?> before = version(SERVICE);
    Class<?> after = version(more);
    byte[] old = model(before).stateOf(make(before)).captureState();
    Object bank = make(after);
    model(after).stateOf(bank).restoreState(old);
    assertArrayEquals(old, model(after).stateOf(bank).captureState());
    assertEquals(model(before).fingerprint(), model(after).fingerprint());
  }

  static final class Till {
    @ReplicatedState long cents;
  }

  /** Captured states contain these numbers: read with others, the bytes of one class would be taken for another. */
  @Test
  void aVersionOfThePluginThatNumbersKnownClassesOtherwiseHasAnotherShape() {
    Shape shape = TypeWalk.shape(Till.class, Set.of());
    List<Class<?>> known = new ArrayList<>(KnownTypes.ALL.types());
    assertArrayEquals(shape.fingerprint(), shape.fingerprint(known));
    known.add(1, Till.class);
    assertFalse(Arrays.equals(shape.fingerprint(), shape.fingerprint(known)));
  }
}
