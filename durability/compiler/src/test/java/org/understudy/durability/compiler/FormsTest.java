package org.understudy.durability.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.durability.compiler.forms.Faults;
import org.understudy.replication.api.ResourceHome;

/** Forms of Java beyond the example: they compile without a warning, and exceptions that are related keep or undo as they should. */
class FormsTest {
  private static final String PACKAGE = "org.understudy.durability.compiler.forms.";
  private static final String REPLICATION = "<replication><update method='put'><repeat deterministic='true'/></update>"
      + "<update method='all'><repeat deterministic='true'/></update><update method='names'><repeat deterministic='true'/></update>"
      + "<update method='load'/><read method='get'/><read method='largest'/><read method='old'/></replication>";
  private static final String DATABASE = "<database><recovery query='SELECT a, b, c, d, e, f FROM t'>"
      + "load(row[0], row[1], row[2], row[3], row[4], row[5])</recovery>"
      + "<recovery query='SELECT a FROM t'>all(null, null)</recovery>"
      + "<update method='put'>UPDATE t SET a = arg[0]</update>"
      + "<update method='all'>DELETE FROM t</update>"
      + "<update method='names' when='returned.owner'>INSERT INTO t (a, b, c, d, e, f, g) VALUES (arg[0].id, arg[0].day, arg[0].grade,"
      + " arg[0].size, returned.owner.nickname, arg[0].owner.active, arg[0].owner.parent.parent.nickname);"
      + " UPDATE t SET g = arg[1] WHERE a = 'arg[0]'</update>"
      + "<update method='load'>INSERT INTO t VALUES (arg[0], arg[1], arg[2], arg[3], arg[4], arg[5])</update>"
      + "<read method='get'/><read method='largest'/><read method='old'/></database>";
  private static final String RECONSTRUCTION = "<reconstruction><update method='put'/><update method='all'/><update method='names'/>"
      + "<update method='load'/><read method='get'/><read method='largest'/><read method='old'/></reconstruction>";

  @TempDir private Path directory;
  private final AtomicInteger discarded = new AtomicInteger();

  private List<GeneratedSource> sources(String mechanism, String faults, String generated) throws Exception {
    Path file = directory.resolve("forms.xml");
    Files.writeString(file, "<durability xmlns='urn:understudy:durability:1' service='" + PACKAGE + "Forms' generated='" + generated + "'>"
        + faults + "<object name='home' interface='" + PACKAGE + "Entries' class='" + PACKAGE + "EntriesState'>" + mechanism
        + "</object></durability>");
    return DurabilityCompiler.compile(file, GeneratedShop.classPath());
  }

  private static String fault(String name, String changes) {
    return "<fault class='" + name + "' changes='" + changes + "'/>";
  }

  private GeneratedShop service(String faults) throws Exception {
    ResourceHome<?> home = (ResourceHome<?>) Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[] {ResourceHome.class}, (proxy, method, arguments) -> {
          assertEquals("discardChanges", method.getName());
          return discarded.incrementAndGet();
        });
    return GeneratedShop.of(GeneratedShop.compiled(sources(RECONSTRUCTION, faults, "other.Generated"), directory), home, null);
  }

  /** How many of these calls were undone. */
  private int undone(GeneratedShop service, Class<? extends Throwable> thrown, String operation, Object... arguments) {
    int before = discarded.get();
    assertThrows(thrown, () -> {
      try {
        service.call(operation, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    });
    return discarded.get() - before;
  }

  @Test
  void replicationCompiles() throws Exception {
    GeneratedShop.compiled(sources(REPLICATION, "", PACKAGE + "Generated"), directory);
  }

  @Test
  void databaseCompiles() throws Exception {
    List<GeneratedSource> sources = sources(DATABASE, "", "other.Generated");
    GeneratedShop.compiled(sources, directory);
    String service = sources.get(0).text();
    assertTrue(service.contains("file = \"/org/understudy/durability/compiler/forms/handlers.xml\""), service);
    assertTrue(service.contains("serviceName = \"FormsService\"") && service.contains("portName = \"FormsPort\""), service);
    assertTrue(service.contains("targetNamespace = \"http://forms.compiler.durability.understudy.org/\""), service);
  }

  @Test
  void aDeclaredExceptionIsNoReasonToKeepOthers() throws Exception {
    GeneratedShop service = service("");
    assertEquals("xfalse", service.call("any", "x"));
    assertEquals(0, discarded.get());
    assertEquals(0, undone(service, Exception.class, "any", "checked"));
    assertEquals(0, undone(service, Faults.General.class, "any", "general"));
    assertEquals(1, undone(service, IllegalStateException.class, "any", "runtime"));
    assertEquals(1, undone(service, AssertionError.class, "any", "error"));
    assertEquals(0, undone(service, Faults.Special.class, "related", List.of("special")));
  }

  @Test
  void theRuleOfTheNearestSuperclassCounts() throws Exception {
    GeneratedShop service = service(
        fault(PACKAGE + "Faults.Special", "undo") + fault(PACKAGE + "Faults.VerySpecial", "keep")
            + fault("java.lang.RuntimeException", "keep"));
    assertEquals(0, undone(service, Faults.General.class, "related", List.of("general")));
    assertEquals(1, undone(service, Faults.Special.class, "related", List.of("special")));
    assertEquals(0, undone(service, Faults.VerySpecial.class, "related", List.of("very")));
    assertEquals(1, undone(service, Faults.Special.class, "special"));
    assertEquals(0, undone(service, IllegalStateException.class, "any", "runtime"));
    assertEquals(1, undone(service, AssertionError.class, "any", "error"));
  }

  @Test
  void aRuleCanCoverAllExceptions() throws Exception {
    GeneratedShop service = service(fault("java.lang.Exception", "undo") + fault(PACKAGE + "Faults.General", "keep"));
    assertEquals(1, undone(service, Exception.class, "any", "checked"));
    assertEquals(0, undone(service, Faults.General.class, "any", "general"));
    assertEquals(0, undone(service, Faults.Special.class, "special"));
    service = service(fault("java.lang.Throwable", "keep"));
    assertEquals(0, undone(service, AssertionError.class, "any", "error"));
    assertEquals(0, undone(service, IllegalStateException.class, "any", "runtime"));
  }
}
