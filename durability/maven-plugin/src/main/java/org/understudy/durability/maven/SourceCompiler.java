package org.understudy.durability.maven;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;

/** Compiles generated sources into the classes of the module. */
final class SourceCompiler {
  private final List<Path> classPath;
  private final Path output;
  private final String release;

  SourceCompiler(List<Path> classPath, Path output, String release) {
    this.classPath = classPath;
    this.output = output;
    this.release = release;
  }

  void compile(List<Path> sources) throws MojoExecutionException, MojoFailureException {
    JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
    if (javac == null) {
      throw new MojoExecutionException("Maven runs on a Java runtime without a compiler. Run it on a JDK.");
    }
    List<String> options = List.of(
        "--release", release, "-proc:none", "-parameters", "-g", "-encoding", "UTF-8", "-d", output.toString(),
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
