package org.understudy.matchmaker.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.understudy.durability.compiler.DurabilityCompiler;
import org.understudy.durability.compiler.GeneratedSource;

/** Generates the durable form of the service from each mapping of this module, and compiles it with all warnings. */
final class GeneratedServices {
  private static final Path MAPPINGS = Path.of("src/main/durability");

  private GeneratedServices() {}

  /** The class path of the test, without test classes: what a build would give the compiler. */
  private static List<String> classPath() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> !entry.endsWith("test-classes"))
        .toList();
  }

  /** Returns the class of the service that a mapping describes. */
  static Class<?> compiled(String mapping, Path directory) throws Exception {
    List<GeneratedSource> sources =
        DurabilityCompiler.compile(MAPPINGS.resolve(mapping + ".xml"), classPath().stream().map(Path::of).toList());
    List<Path> files = new ArrayList<>();
    for (GeneratedSource source : sources) {
      files.add(source.writeTo(directory.resolve("sources")));
    }
    Path classes = Files.createDirectories(directory.resolve("classes"));
    List<String> options =
        List.of("--release", "17", "-Xlint:all,-classfile,-path", "-Werror", "-proc:none", "-d", classes.toString(), "-classpath",
            String.join(File.pathSeparator, classPath()));
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    StringWriter output = new StringWriter();
    try (StandardJavaFileManager manager = javac.getStandardFileManager(null, null, null)) {
      javac.getTask(output, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files)).call();
    }
    assertEquals("", output.toString());
    URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, GeneratedServices.class.getClassLoader());
    return Class.forName(sources.get(0).className(), false, loader);
  }
}
