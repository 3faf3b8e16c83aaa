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
    return new DurabilityMojo(project, List.of(mapping.toFile()), directory.resolve("target/generated").toFile(), classes.toFile());
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
