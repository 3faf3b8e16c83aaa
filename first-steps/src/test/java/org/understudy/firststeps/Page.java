package org.understudy.firststeps;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of instructions: its fenced blocks in order. A block {@code sh} is a command, the block {@code text} behind it what it
 * prints, and any other block a file whose path the line before it gives: "Create `path`:".
 */
record Page(List<Step> steps) {
  /** One of them. */
  sealed interface Step {}

  /**
   * Commands for one shell.
   *
   * @param expected lines that the output contains, in this order, each as part of a line
   */
  record Command(String text, List<String> expected) implements Step {}

  /** A file to be created. */
  record NewFile(Path path, String content) implements Step {}

  private static final Pattern FENCE = Pattern.compile("(?ms)^```(\\w*)\\n(.*?)^```$");
  private static final Pattern CREATE = Pattern.compile("Create `([^`]+)`:\\s*\\z");

  static Page read(Path file) throws IOException {
    String text = Files.readString(file);
    List<Step> steps = new ArrayList<>();
    Matcher fence = FENCE.matcher(text);
    while (fence.find()) {
      String content = fence.group(2);
      switch (fence.group(1)) {
        case "sh" -> steps.add(new Command(content, List.of()));
        case "text" -> {
          if (steps.isEmpty() || !(steps.get(steps.size() - 1) instanceof Command last) || !last.expected().isEmpty()) {
            throw new IOException("No command stands before the output in: " + content);
          }
          steps.set(steps.size() - 1, new Command(last.text(), content.lines().toList()));
        }
        default -> {
          Matcher create = CREATE.matcher(text.substring(0, fence.start()));
          if (!create.find()) {
            throw new IOException("The line before this block does not name its file: " + content);
          }
          steps.add(new NewFile(Path.of(create.group(1)), content));
        }
      }
    }
    return new Page(List.copyOf(steps));
  }
}
