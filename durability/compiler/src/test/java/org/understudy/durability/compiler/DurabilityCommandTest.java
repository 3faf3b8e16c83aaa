package org.understudy.durability.compiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.durability.compiler.cli.DurabilityCommand;
import picocli.CommandLine;

class DurabilityCommandTest {
  private static final String CLASS_PATH = System.getProperty("java.class.path");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  private int execute(String... arguments) {
    CommandLine command = DurabilityCommand.commandLine();
    command.setOut(new PrintWriter(out));
    command.setErr(new PrintWriter(err));
    return command.execute(arguments);
  }

  private int generate(Path mapping, String classPath) {
    return execute("--mapping", mapping.toString(), "--class-path", classPath, "--output", directory.toString());
  }

  @Test
  void theSourcesAreWrittenAndNamed() throws Exception {
    assertEquals(0, generate(GeneratedShop.mapping("mixed"), CLASS_PATH), err.toString());
    Path service = directory.resolve("org/understudy/durability/compiler/shop/MixedShop.java");
    assertEquals(4, out.toString().lines().count());
    assertTrue(out.toString().startsWith(service.toString()), out.toString());
    assertTrue(Files.readString(service).contains("public class MixedShop"));
    assertEquals("", err.toString());
  }

  @Test
  void aFileThatIsTheSameIsNotWritten() throws Exception {
    generate(GeneratedShop.mapping("mixed"), CLASS_PATH);
    Path service = directory.resolve("org/understudy/durability/compiler/shop/MixedShop.java");
    FileTime before = FileTime.fromMillis(1_000);
    Files.setLastModifiedTime(service, before);
    generate(GeneratedShop.mapping("mixed"), CLASS_PATH);
    assertEquals(before, Files.getLastModifiedTime(service));
  }

  @Test
  void anInvalidMappingWritesNothing() throws Exception {
    Path mapping = directory.resolve("bad.xml");
    Files.writeString(mapping, Files.readString(GeneratedShop.mapping("mixed")).replace("method=\"take\"", "method=\"tak\""));
    assertEquals(DurabilityCommand.INVALID_MAPPING, generate(mapping, CLASS_PATH));
    assertTrue(err.toString().contains("Stock has no method tak; did you mean take?"), err.toString());
    assertFalse(Files.exists(directory.resolve("org")));
  }

  @Test
  void filesThatAreMissing() {
    assertEquals(DurabilityCommand.IO_ERROR, generate(directory.resolve("none.xml"), CLASS_PATH));
    assertTrue(err.toString().contains("none.xml"), err.toString());
    assertEquals(DurabilityCommand.IO_ERROR, generate(GeneratedShop.mapping("mixed"), directory.resolve("none").toString()));
    assertTrue(err.toString().contains("is on the class path and does not exist."), err.toString());
  }

  @Test
  void theCommandLineIsChecked() {
    assertEquals(2, execute("--mapping", "a.xml"));
    assertTrue(err.toString().contains("Missing required options"), err.toString());
    assertEquals(0, execute("--help"));
    assertTrue(out.toString().contains("--class-path=PATH") && out.toString().contains("Exit codes:"), out.toString());
  }
}
