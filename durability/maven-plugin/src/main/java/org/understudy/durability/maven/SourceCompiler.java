package org.understudy.durability.maven;

import java.io.DataInputStream;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;

/** Compiles generated sources into the classes of the module. */
final class SourceCompiler {
  private static final int LOWEST_RELEASE = 17;
  /** The major version of classes of release 1 is 45. */
  private static final int VERSION_OF_RELEASE_0 = 44;

  private final List<Path> classPath;
  private final Path output;
  private final String release;

  SourceCompiler(List<Path> classPath, Path output, String release) {
    this.classPath = classPath;
    this.output = output;
    this.release = release;
  }

  /** The release of Java for which these classes were compiled, or that of this project if it is higher. */
  static String releaseOf(List<Path> classes) throws MojoExecutionException {
    int release = LOWEST_RELEASE;
    for (Path file : classes) {
      try (DataInputStream in = new DataInputStream(Files.newInputStream(file))) {
        // The magic number and the minor version precede the major version.
        in.readInt();
        in.readUnsignedShort();
        release = Math.max(release, in.readUnsignedShort() - VERSION_OF_RELEASE_0);
      } catch (IOException e) {
        throw new MojoExecutionException("The class " + file + " cannot be read: " + e + ".", e);
      }
    }
    return Integer.toString(release);
  }

  void compile(List<Path> sources) throws MojoExecutionException, MojoFailureException {
    if (!Files.exists(output.resolve("module-info.class"))) {
      compile(sources, output);
      return;
    }
    // The compiler would take the sources for those of this module, and the class path for no part of it.
    try {
      Path directory = Files.createTempDirectory("durability");
      try {
        compile(sources, directory);
        move(directory);
      } finally {
        delete(directory);
      }
    } catch (IOException e) {
      throw new MojoExecutionException("The generated classes cannot be written to " + output + ": " + e + ".", e);
    }
  }

  private static void delete(Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(directory)) {
      files = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.delete(file);
    }
  }

  private void move(Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(directory)) {
      files = all.filter(Files::isRegularFile).toList();
    }
    for (Path file : files) {
      Path to = output.resolve(directory.relativize(file).toString());
      Files.createDirectories(to.getParent());
      Files.move(file, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void compile(List<Path> sources, Path to) throws MojoExecutionException, MojoFailureException {
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    if (javac == null) {
      throw new MojoExecutionException("Maven runs on a Java runtime without a compiler. Run it on a JDK.");
    }
    List<String> options = List.of(
        "--release", release, "-proc:none", "-parameters", "-g", "-encoding", "UTF-8", "-d", to.toString(),
        "-classpath", classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    StringWriter messages = new StringWriter();
    try (StandardJavaFileManager files = javac.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8)) {
      if (!javac.getTask(messages, files, null, options, null, files.getJavaFileObjectsFromPaths(sources)).call()) {
        throw new MojoFailureException("The generated sources do not compile:\n" + messages);
      }
    } catch (IOException e) {
      throw new MojoExecutionException("The compiler cannot be closed.", e);
    }
  }
}
