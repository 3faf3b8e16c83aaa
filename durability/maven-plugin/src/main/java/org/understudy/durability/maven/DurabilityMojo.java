package org.understudy.durability.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.apache.maven.project.MavenProject;
import org.understudy.durability.compiler.DurabilityCompiler;
import org.understudy.durability.compiler.GeneratedSource;
import org.understudy.durability.mapping.MappingException;

/**
 * Generates the durable form of services from durability mappings.
 *
 * <p>If the service is in the module itself, the goal runs after the compiler of Java, and compiles what it generates into the module's
 * classes. If the service is in a dependency, bind the goal to {@code generate-sources}: the module compiles the generated sources.
 */
@Mojo(
    name = "durability", defaultPhase = LifecyclePhase.PROCESS_CLASSES, requiresDependencyResolution = ResolutionScope.COMPILE,
    threadSafe = true)
public final class DurabilityMojo extends AbstractMojo {
  /** The mappings. */
  @Parameter(required = true)
  private List<File> mappings;

  /** Where the sources are written, below their packages. */
  @Parameter(defaultValue = "${project.build.directory}/generated-sources/durability")
  private File outputDirectory;

  /** The classes of the module. */
  @Parameter(defaultValue = "${project.build.outputDirectory}", readonly = true)
  private File classesDirectory;

  /** The release of Java for which the generated sources are compiled in the module of the service. By default, that of its classes. */
  @Parameter(property = "maven.compiler.release")
  private String release;

  /** Where the names of the generated classes are kept for the next build. */
  @Parameter(defaultValue = "${project.build.directory}/durability/${mojoExecution.executionId}.txt", readonly = true)
  private File generatedNames;

  @Parameter(defaultValue = "${project}", readonly = true, required = true)
  private MavenProject project;

  /** For Maven, which sets the parameters. */
  public DurabilityMojo() {}

  DurabilityMojo(MavenProject project, List<File> mappings, File outputDirectory, File classesDirectory, File generatedNames) {
    this.project = project;
    this.generatedNames = generatedNames;
    this.mappings = mappings;
    this.outputDirectory = outputDirectory;
    this.classesDirectory = classesDirectory;
  }

  @Override
  public void execute() throws MojoExecutionException, MojoFailureException {
    List<Path> classPath = classPath();
    Map<String, GeneratedSource> sources = generated(classPath);
    deleteStale(sources.keySet());
    List<Path> compiledHere = new ArrayList<>();
    List<Path> services = new ArrayList<>();
    boolean compiledLater = false;
    for (GeneratedSource source : sources.values()) {
      try {
        Path file = source.writeTo(outputDirectory.toPath());
        getLog().debug("Generated " + file);
        Optional<Path> service = source.ownService(classesDirectory.toPath());
        if (service.isPresent()) {
          compiledHere.add(file);
          services.add(service.get());
        } else {
          compiledLater = true;
        }
      } catch (IOException e) {
        throw new MojoExecutionException(
            "The class " + source.className() + " cannot be written to " + outputDirectory + ": " + e + ".", e);
      }
    }
    if (compiledLater) {
      project.addCompileSourceRoot(outputDirectory.getPath());
    }
    if (!compiledHere.isEmpty()) {
      String own = release == null ? SourceCompiler.releaseOf(services) : release;
      new SourceCompiler(classPath, classesDirectory.toPath(), own).compile(compiledHere);
    }
  }

  /** The classes of all mappings by their names. */
  private Map<String, GeneratedSource> generated(List<Path> classPath) throws MojoExecutionException, MojoFailureException {
    Map<String, GeneratedSource> sources = new LinkedHashMap<>();
    Map<String, File> origins = new HashMap<>();
    for (File mapping : mappings) {
      for (GeneratedSource source : generated(mapping, classPath)) {
        File other = origins.put(source.className(), mapping);
        if (other != null) {
          throw new MojoFailureException("The durability mappings " + other + " and " + mapping + " both generate the class "
              + source.className() + ". Give one of them another name by the attribute generated.");
        }
        sources.put(source.className(), source);
      }
    }
    return sources;
  }

  private void deleteStale(Set<String> names) throws MojoExecutionException {
    try {
      new LastBuild(generatedNames.toPath()).replace(names, outputDirectory.toPath(), classesDirectory.toPath());
    } catch (IOException e) {
      throw new MojoExecutionException("What the last build generated cannot be deleted: " + e + ". Run mvn clean.", e);
    }
  }

  private List<Path> classPath() throws MojoExecutionException {
    try {
      return project.getCompileClasspathElements().stream().map(Path::of).filter(Files::exists).toList();
    } catch (DependencyResolutionRequiredException e) {
      throw new MojoExecutionException("The class path of the module is not resolved.", e);
    }
  }

  private static List<GeneratedSource> generated(File mapping, List<Path> classPath)
      throws MojoExecutionException, MojoFailureException {
    try {
      return DurabilityCompiler.compile(mapping.toPath(), classPath);
    } catch (MappingException e) {
      throw new MojoFailureException("The durability mapping " + mapping + " is invalid:\n" + e.getMessage(), e);
    } catch (IOException e) {
      throw new MojoExecutionException("The durability mapping " + mapping + " cannot be read: " + e.getMessage(), e);
    }
  }
}
