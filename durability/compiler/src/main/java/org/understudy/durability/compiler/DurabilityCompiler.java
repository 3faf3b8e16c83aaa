package org.understudy.durability.compiler;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.understudy.durability.compiler.classes.ClassPath;
import org.understudy.durability.compiler.classes.Problems;
import org.understudy.durability.compiler.classes.ServiceClasses;
import org.understudy.durability.compiler.classes.ServiceResolver;
import org.understudy.durability.compiler.source.SourceWriter;
import org.understudy.durability.mapping.DurabilityMapping;
import org.understudy.durability.mapping.MappingException;
import org.understudy.durability.mapping.MappingProblem;
import org.understudy.durability.mapping.MappingReader;

/**
 * Generates the durable form of a service. The service and its state objects are read as compiled classes, and are not changed; none of
 * their code is executed.
 */
public final class DurabilityCompiler {
  private DurabilityCompiler() {}

  /**
   * Generates the classes of a mapping.
   *
   * @param mapping the file
   * @param classPath directories and jars with the service, its state objects, and all that they are compiled against
   * @return the service and one proxy for each state object; equal input gives equal sources
   * @throws MappingException when the mapping is invalid or does not fit the classes, with all problems that were found
   */
  public static List<GeneratedSource> compile(Path mapping, List<Path> classPath) throws IOException, MappingException {
    DurabilityMapping read = MappingReader.read(mapping);
    try (ClassPath classes = new ClassPath(classPath)) {
      Problems problems = new Problems();
      ServiceClasses service = ServiceResolver.resolve(read, classes, problems);
      problems.check();
      List<GeneratedSource> sources = SourceWriter.write(service, classes, problems).entrySet().stream()
          .map(each -> new GeneratedSource(each.getKey(), read.service(), each.getValue()))
          .toList();
      problems.check();
      return sources;
    } catch (LinkageError | TypeNotPresentException e) {
      throw new MappingException(List.of(new MappingProblem(
          read.place(), "The service or a state object needs a class that is not on the class path: " + e.getMessage() + ". Add it.")));
    }
  }
}
