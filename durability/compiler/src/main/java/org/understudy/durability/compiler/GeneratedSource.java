package org.understudy.durability.compiler;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A generated class.
 *
 * @param className full name
 * @param service the full name of the unmodified service
 * @param text Java source
 */
public record GeneratedSource(String className, String service, String text) {
  /** The file of the unmodified service, if it is in this directory. */
  public Optional<Path> ownService(Path classes) {
    String path = service.replace('.', '/');
    // A nested class is in a file of its own, behind the name of the class around it.
    for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
      Path file = classes.resolve(path.substring(0, end) + path.substring(end).replace('/', '$') + ".class");
      if (Files.exists(file)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }

  /**
   * Writes the class below a directory of sources. A file with the same content is left as it is, so that nothing is compiled again.
   *
   * @return the file
   */
  public Path writeTo(Path directory) throws IOException {
    Path file = directory.resolve(className.replace('.', '/') + ".java");
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), bytes)) {
      Files.createDirectories(file.getParent());
      Files.write(file, bytes);
    }
    return file;
  }
}
