package org.understudy.durability.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.jws.WebMethod;
import java.io.File;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.durability.compiler.classes.ReservedNames;
import org.understudy.durability.mapping.MappingException;
import org.understudy.durability.proxy.DatabaseProxy;
import org.understudy.durability.proxy.DurableDatabaseService;
import org.understudy.durability.proxy.ReconstructionProxy;
import org.understudy.durability.proxy.ReplicationProxy;

/** A service by authors who do not know the compiler: what it generates compiles, or the mapping is refused with a reason. */
class UnusualJavaTest {
  private static final String READS =
      "<read method='all'/><read method='number'/><read method='raw'/><read method='old'/><read method='calls'/>";
  private static final String REPLICATION = "<replication><initialization>open('a', '-')</initialization>" + READS
      + "<update method='addAll'><repeat deterministic='true'/></update><update method='each'/><update method='empty'/>"
      + "<update method='open'/><update method='lock'><repeat deterministic='true'/></update>"
      + "<update method='take'><repeat deterministic='true'>lock(arg[2].name, 1, 2, 3)</repeat></update>"
      + "<update method='lists'/><update method='with'><repeat deterministic='true'/></update></replication>";
  private static final String DATABASE = "<database><recovery query='SELECT a, b, c, d FROM t'>lock(row[0], row[1], row[2], row[3])"
      + "</recovery>" + READS
      + "<update method='addAll'>DELETE FROM t</update><update method='each'>DELETE FROM t</update>"
      + "<update method='empty'>DELETE FROM t</update><update method='open'>INSERT INTO t (a) VALUES (arg[0])</update>"
      + "<update method='lock'>INSERT INTO t (a, b, c, d) VALUES (arg[0], arg[1], arg[2], arg[3])</update>"
      + "<update method='take' when='returned'>INSERT INTO t (a, b, c) VALUES (returned.from, arg[1], arg[2].name)</update>"
      + "<update method='lists'>DELETE FROM t</update><update method='with'>INSERT INTO t (a) VALUES (arg[0])</update></database>";
  private static final String RECONSTRUCTION = "<reconstruction><initialization>open('a', '''')</initialization>" + READS
      + "<update method='addAll'/><update method='each'/><update method='empty'/><update method='open'/><update method='lock'/>"
      + "<update method='take'/><update method='lists'/><update method='with'/></reconstruction>";

  @TempDir private static Path classes;
  @TempDir private Path directory;

  @BeforeAll
  static void compileTheService() throws Exception {
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    List<File> files;
    try (Stream<Path> sources = Files.list(Path.of(UnusualJavaTest.class.getResource("/unusual/desk").toURI()))) {
      files = sources.map(Path::toFile).toList();
    }
    StringWriter output = new StringWriter();
    List<String> options = List.of(
        "--release", "17", "-Xlint:none", "-proc:none", "-parameters", "-d", classes.toString(), "-classpath",
        System.getProperty("java.class.path"));
    boolean compiled = javac.getTask(
        output, null, null, options, null, javac.getStandardFileManager(null, null, null).getJavaFileObjectsFromFiles(files)).call();
    assertTrue(compiled, output.toString());
  }

  private static String object(String name, String type, String mechanism) {
    return "<object name='" + name + "' interface='desk." + type + "' class='desk." + (type.equals("Cases") ? "Cases" : "Refused.")
        + "State'>" + mechanism + "</object>";
  }

  private static String desk(String mechanism) {
    return object("home", "Cases", mechanism) + object("homeObject", "Cases", RECONSTRUCTION);
  }

  private List<GeneratedSource> generated(String service, String generated, String objects) throws Exception {
    Path file = directory.resolve("desk.xml");
    Files.writeString(file, "<durability xmlns='urn:understudy:durability:1' service='desk." + service + "' generated='" + generated
        + "'>\n" + objects + "</durability>");
    List<Path> classPath = new ArrayList<>(List.of(classes));
    classPath.addAll(GeneratedShop.classPath());
    return DurabilityCompiler.compile(file, classPath);
  }

  private String refused(String service, String generated, String objects) {
    return assertThrows(MappingException.class, () -> generated(service, generated, objects)).getMessage();
  }

  @ParameterizedTest
  @ValueSource(strings = {REPLICATION, DATABASE, RECONSTRUCTION})
  void whatIsGeneratedCompilesWithoutAWarning(String mechanism) throws Exception {
    Class<?> type = GeneratedShop.compiled(generated("Desk", "desk.Generated", desk(mechanism)), directory, classes);
    WebMethod inherited = type.getMethod("inherited").getAnnotation(WebMethod.class);
    assertTrue(inherited.exclude(), "JAX-WS does not find it in the unmodified class");
    assertTrue(Modifier.isFinal(type.getMethod("number").getModifiers()), "JAX-WS takes no final method");
    type = GeneratedShop.compiled(generated("Desk", "other.Generated", desk(mechanism)), directory, classes);
    assertEquals(List.of("Tags", "WebService"), Arrays.stream(type.getAnnotations())
        .map(each -> each.annotationType().getSimpleName()).filter(each -> !each.equals("SuppressWarnings")).sorted().toList());
  }

  @Test
  void anObjectThatReturnsItselfRemainsProtected() throws Exception {
    Class<?> type = GeneratedShop.compiled(generated("Desk", "desk.Generated", desk(REPLICATION)), directory, classes);
    GeneratedShop service = GeneratedShop.of(type, null, null);
    assertEquals(true, service.call("chain", "a"));
    assertTrue(service.service().captureUpdate().length > 0);
    String proxy = generated("Desk", "desk.Generated", desk(DATABASE)).get(1).text();
    assertTrue(proxy.contains("return returned == objectValue ? this : returned;"), proxy);
  }

  @Test
  void anOptionalConditionIsTrueIfSomethingIsPresent() throws Exception {
    String proxy = generated("Desk", "desk.Generated", desk(DATABASE)).get(1).text();
    assertTrue(proxy.contains("if (returned.isPresent()) {"), proxy);
    assertTrue(proxy.contains("note.orElse(null)"), proxy);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "open('a', '-')</init | connect()</init | connect declares the checked exception IOException, and no new object may fail.",
      "<update method='open'/> | <update method='open'/><checkpoint method='save'/><restore method='load'/> | The method save, which"
          + " checkpoint or restore names, declares the checked exception IOException. Let it throw none.",
      "arg[2].name | arg[2].text | The property text of Item declares the checked exception IOException. Use another one.",
      "arg[2].name | arg[2].nam | Item has no property nam: neither nam() nor getNam() nor a public field",
      "open('a', '-') | open('ab', '-') | \"ab\" is not a char.",
  })
  void aCheckedExceptionThatNothingDeclares(String good, String bad, String message) {
    assertTrue(REPLICATION.contains(good), good);
    String problems = refused("Desk", "desk.Generated", desk(REPLICATION.replace(good, bad)));
    assertTrue(problems.contains(message), problems);
  }

  @Test
  void aServiceThatCannotBeCalledAsAContainerCallsIt() {
    String problems = refused("Refused", "desk.Generated", object("closed", "Refused.Closed", "<reconstruction/>"));
    assertTrue(problems.contains("desk.Refused$Closed is sealed, so no proxy can implement it."), problems);
    problems = refused("Refused", "other.Generated", desk(RECONSTRUCTION));
    assertTrue(problems.contains("The method begin() of desk.Refused is marked @PostConstruct and is not public"), problems);
    assertTrue(problems.contains("The method setContext(String) of desk.Refused injects something."), problems);
    assertTrue(problems.contains("The method use(Named) uses desk.Named, which is not public, and the generated class is in another"
        + " package: other."), problems);
    assertTrue(problems.contains("The method leave() of desk.Refused has the name of a method of the generated class."), problems);
    assertTrue(problems.contains("The method enter(String) of desk.Refused has"), problems);
  }

  @ParameterizedTest
  @ValueSource(classes = {DurableDatabaseService.class, ReplicationProxy.class, DatabaseProxy.class, ReconstructionProxy.class})
  void eachMethodOfTheBaseClassesIsReserved(Class<?> base) {
    List<Method> reserved = new ArrayList<>();
    for (Class<?> type = base; type != Object.class; type = type.getSuperclass()) {
      for (Method method : type.getDeclaredMethods()) {
        boolean inherited = Modifier.isPublic(method.getModifiers()) || Modifier.isProtected(method.getModifiers());
        // No class of a user has a method with types of this project.
        if (inherited && !method.isSynthetic() && Arrays.stream(method.getParameterTypes()).noneMatch(UnusualJavaTest::isOwn)) {
          reserved.add(method);
        }
      }
    }
    assertFalse(reserved.isEmpty());
    reserved.removeIf(base == DurableDatabaseService.class ? ReservedNames::isOfServices : ReservedNames::isOfProxies);
    assertEquals(List.of(), reserved);
  }

  private static boolean isOwn(Class<?> type) {
    return type.getName().startsWith("org.understudy.") || type.getName().contains("Supplier");
  }
}
