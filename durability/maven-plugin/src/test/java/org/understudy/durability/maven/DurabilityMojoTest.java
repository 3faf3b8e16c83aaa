package org.understudy.durability.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.maven.model.Build;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.project.MavenProject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.durability.proxy.DurableDatabaseService;

/** The goal, with the example of docs/durability.md. */
class DurabilityMojoTest {
  private static final Path DOCUMENT = Path.of("../../docs/durability.md");
  private static final Pattern JAVA = Pattern.compile("```java\\R// (\\S+)\\R(.*?)```", Pattern.DOTALL);
  private static final Pattern XML = Pattern.compile("```xml\\R<!-- (orders.xml) -->\\R(.*?)```", Pattern.DOTALL);

  @TempDir private Path directory;

  private final List<Path> sources = new ArrayList<>();
  private Path mapping;
  private Path classes;

  @BeforeEach
  void writeTheDocumentedExample() throws IOException {
    String document = Files.readString(DOCUMENT);
    JAVA.matcher(document).results().forEach(found -> sources.add(write(found.group(1), found.group(2))));
    XML.matcher(document).results().forEach(found -> mapping = write(found.group(1), found.group(2)));
    classes = Files.createDirectories(directory.resolve("target/classes"));
    assertEquals(6, sources.size());
  }

  private Path write(String name, String text) {
    try {
      Path file = directory.resolve("src").resolve(name);
      Files.createDirectories(file.getParent());
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Stream<String> ownClassPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator));
  }

  /** A module with these classes beside its own. */
  private MavenProject module(Path... dependencies) {
    Build build = new Build();
    build.setOutputDirectory(classes.toString());
    MavenProject project = new MavenProject() {
      @Override
      public List<String> getCompileClasspathElements() {
        return Stream.concat(Stream.concat(Stream.of(classes), Arrays.stream(dependencies)).map(Path::toString), ownClassPath()).toList();
      }
    };
    project.setBuild(build);
    return project;
  }

  private void compileTheService(Path to) throws Exception {
    Files.createDirectories(to);
    new SourceCompiler(ownClassPath().map(Path::of).toList(), to, "17").compile(sources);
  }

  private DurabilityMojo goal(MavenProject project) {
    return goal(project, mapping);
  }

  private DurabilityMojo goal(MavenProject project, Path... mappings) {
    return new DurabilityMojo(
        project, Arrays.stream(mappings).map(Path::toFile).toList(), directory.resolve("target/generated").toFile(), classes.toFile(),
        directory.resolve("target/durability/default.txt").toFile());
  }

  private Class<?> loaded(Path... directories) throws Exception {
    URL[] urls = new URL[directories.length];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = directories[i].toUri().toURL();
    }
    return Class.forName("shop.DurableOrders", false, new URLClassLoader(urls, getClass().getClassLoader()));
  }

  @Test
  void aModuleWithTheServiceGetsTheGeneratedClasses() throws Exception {
    compileTheService(classes);
    MavenProject project = module();
    goal(project).execute();
    assertEquals(DurableDatabaseService.class, loaded(classes).getSuperclass());
    assertTrue(Files.exists(directory.resolve("target/generated/shop/DurableOrders.java")));
    assertEquals(List.of(), project.getCompileSourceRoots());
    // A build on top of the last one.
    goal(project).execute();
  }

  @Test
  void aModuleThatDependsOnTheServiceCompilesTheGeneratedSources() throws Exception {
    Path service = directory.resolve("service");
    compileTheService(service);
    MavenProject project = module(service);
    goal(project).execute();
    assertEquals(List.of(directory.resolve("target/generated").toString()), project.getCompileSourceRoots());
    assertFalse(Files.exists(classes.resolve("shop/DurableOrders.class")));
  }

  @Test
  void aBuildDeletesWhatTheMappingDoesNotNameAnyMore() throws Exception {
    compileTheService(classes);
    goal(module()).execute();
    Path own = classes.resolve("shop/DurableOrdersBillsProxy.class");
    Files.copy(classes.resolve("shop/Orders.class"), own, StandardCopyOption.REPLACE_EXISTING);
    Files.writeString(mapping, Files.readString(mapping).replace("shop.DurableOrders", "shop.LastingOrders"));
    goal(module()).execute();
    assertTrue(Files.exists(classes.resolve("shop/LastingOrdersStockProxy$TakeCall.class")));
    for (String stale : List.of("DurableOrders.class", "DurableOrdersStockProxy.class", "DurableOrdersStockProxy$TakeCall.class")) {
      assertFalse(Files.exists(classes.resolve("shop").resolve(stale)), stale);
    }
    assertFalse(Files.exists(directory.resolve("target/generated/shop/DurableOrders.java")));
    assertTrue(Files.exists(own), "a class that was not generated");
  }

  @Test
  void twoMappingsThatGenerateOneClassFailTheBuild() throws Exception {
    compileTheService(classes);
    Path second = write("second.xml", Files.readString(mapping));
    MojoFailureException failed = assertThrows(MojoFailureException.class, () -> goal(module(), mapping, second).execute());
    assertTrue(failed.getMessage().contains("second.xml both generate the class shop.DurableOrders."), failed.getMessage());
  }

  @Test
  void aServiceInANamedModuleGetsTheGeneratedClasses() throws Exception {
    compileTheService(classes);
    new SourceCompiler(List.of(), classes, "17").compile(List.of(write("module-info.java", "module shop {}")));
    goal(module()).execute();
    assertTrue(Files.exists(classes.resolve("shop/DurableOrdersStockProxy$TakeCall.class")));
  }

  @Test
  void theReleaseIsThatOfTheService() throws Exception {
    Path newer = Files.write(directory.resolve("Newer.class"), new byte[] {-54, -2, -70, -66, 0, 0, 0, 65});
    Path older = Files.write(directory.resolve("Older.class"), new byte[] {-54, -2, -70, -66, 0, 0, 0, 52});
    assertEquals("21", SourceCompiler.releaseOf(List.of(older, newer)));
    assertEquals("17", SourceCompiler.releaseOf(List.of(older)));
  }

  @Test
  void aServiceOfANewerJavaFailsTheBuild() throws Exception {
    compileTheService(classes);
    byte[] service = Files.readAllBytes(classes.resolve("shop/Orders.class"));
    service[7] = 120;
    Files.write(classes.resolve("shop/Orders.class"), service);
    MojoFailureException failed = assertThrows(MojoFailureException.class, () -> goal(module()).execute());
    assertTrue(failed.getMessage().contains("The service shop.Orders cannot be loaded: java.lang.UnsupportedClassVersionError"));
  }

  @Test
  void aClassOfTheServiceIsNotReplaced() throws Exception {
    compileTheService(classes);
    Files.writeString(mapping, Files.readString(mapping).replace("generated=\"shop.DurableOrders\"", "generated=\"shop.Stock\""));
    MojoFailureException failed = assertThrows(MojoFailureException.class, () -> goal(module()).execute());
    assertTrue(failed.getMessage().contains("The class shop.Stock exists and was not generated."), failed.getMessage());
  }

  @Test
  void anInvalidMappingFailsTheBuild() throws Exception {
    compileTheService(classes);
    Files.writeString(mapping, Files.readString(mapping).replace("<update method=\"add\">", "<update method=\"ad\">"));
    MojoFailureException failed = assertThrows(MojoFailureException.class, () -> goal(module()).execute());
    assertTrue(failed.getMessage().contains("<update method=\"ad\">: Stock has no method ad; did you mean add?"), failed.getMessage());
  }

  @Test
  void aMappingThatIsMissingFailsTheBuild() throws Exception {
    compileTheService(classes);
    Files.delete(mapping);
    MojoExecutionException failed = assertThrows(MojoExecutionException.class, () -> goal(module()).execute());
    assertTrue(failed.getMessage().contains("orders.xml cannot be read"), failed.getMessage());
  }

  @Test
  void sourcesThatDoNotCompileFailTheBuild() throws Exception {
    compileTheService(classes);
    MavenProject project = new MavenProject() {
      @Override
      public List<String> getCompileClasspathElements() {
        return Stream.concat(Stream.of(classes.toString()), ownClassPath().filter(each -> !each.contains("proxies"))).toList();
      }
    };
    MojoFailureException failed = assertThrows(MojoFailureException.class, () -> goal(project).execute());
    assertTrue(failed.getMessage().contains("org.understudy.durability.proxy"), failed.getMessage());
  }
}
