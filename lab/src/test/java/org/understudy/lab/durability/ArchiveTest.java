package org.understudy.lab.durability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveTest {
  @TempDir Path root;

  private Path lib;

  @BeforeEach
  void build() throws IOException {
    lib = Files.createDirectories(root.resolve("durability/database/target/lib"));
    Files.createFile(lib.resolveSibling("database.jar"));
    Files.createFile(lib.resolveSibling("database-sources.jar"));
    Files.createFile(lib.resolve("common.jar"));
    Path war = root.resolve("services/matchmaker/target/matchmaker.war");
    Files.createDirectories(war.getParent());
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
      zip.putNextEntry(new ZipEntry("WEB-INF/lib/common.jar"));
      zip.closeEntry();
    }
  }

  @Test
  void theArchiveHasWhatTheDatabaseNeedsOnce() throws IOException {
    Files.createFile(lib.resolve("h2-2.jar"));
    Path archive = root.resolve("copy.war");
    Archive.withDatabase(root, archive);
    try (JarFile jar = new JarFile(archive.toFile())) {
      assertEquals(
          "WEB-INF/lib/common.jar WEB-INF/lib/database.jar WEB-INF/lib/h2-2.jar",
          new TreeSet<>(jar.stream().map(ZipEntry::getName).toList()).stream().collect(Collectors.joining(" ")));
    }
  }

  @Test
  void aMissingDriverIsReported() {
    IOException failure = assertThrows(IOException.class, () -> Archive.withDatabase(root, root.resolve("copy.war")));
    assertTrue(failure.getMessage().contains("run mvn package"), failure.getMessage());
  }
}
