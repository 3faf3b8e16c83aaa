package org.understudy.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.lab.attack.AttackCommand;
import org.understudy.lab.compare.Compare;
import org.understudy.lab.demo.Demo;
import org.understudy.lab.notify.NotifyBench;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The scripts print their help from {@code scripts/usage}, without a build and a JVM; it is what the programs print. */
class UsageTest {
  @ParameterizedTest
  @ValueSource(classes = {AttackCommand.class, Compare.class, Demo.class, NotifyBench.class})
  void theFileIsWhatTheProgramPrints(Class<?> program) throws IOException {
    CommandLine line = new CommandLine(program);
    String usage = line.getUsageMessage(Ansi.OFF);
    Path file = Path.of("..").resolve(line.getCommandName().replace("scripts/", "scripts/usage/"));
    assertEquals(usage, Files.readString(file), "Write the program's usage into " + file + ".");
  }

  @ParameterizedTest
  @ValueSource(strings = {"attack", "compare", "demo", "notify-bench", "counter"})
  void helpNeedsNoBuild(String script, @TempDir Path elsewhere) throws Exception {
    Path scripts = Files.createDirectory(elsewhere.resolve("scripts"));
    for (String file : List.of(script, "lab", "usage/" + script)) {
      Path copy = scripts.resolve(file);
      Files.createDirectories(copy.getParent());
      Files.copy(Path.of("../scripts").resolve(file), copy, StandardCopyOption.COPY_ATTRIBUTES);
    }
    Process process =
        new ProcessBuilder(scripts.resolve(script).toString(), "--help").redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), text);
    assertEquals(Files.readString(Path.of("../scripts/usage").resolve(script)), text);
  }
}
