package org.understudy.durability.mapping;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.understudy.soap.xml.NameSuggestion;

/**
 * Splits a text into statements of SQL, and replaces the values of the mapping in them by question marks. It knows quotation marks,
 * comments, brackets and semicolons, and the number of values of an INSERT and of columns of a SELECT; the database knows the rest. An
 * {@link IllegalArgumentException} reports what is wrong in one sentence.
 */
final class SqlReader {
  private final Place place;
  private final String text;
  private final boolean ownDialect;
  private final List<SqlStatement> statements = new ArrayList<>();
  private final StringBuilder sql = new StringBuilder();
  private final List<Expression> arguments = new ArrayList<>();
  private int at;
  private int brackets;

  private SqlReader(Place place, String text, boolean ownDialect) {
    this.place = place;
    this.text = text;
    this.ownDialect = ownDialect;
  }

  /**
   * Reads statements that are separated by semicolons.
   *
   * @param ownDialect whether no other parser reads the statements
   * @param kinds the words with which a statement may begin, in upper case
   */
  static List<SqlStatement> read(Place place, String text, boolean ownDialect, List<String> kinds) {
    List<SqlStatement> statements = new SqlReader(place, text, ownDialect).read();
    for (SqlStatement statement : statements) {
      String kind = firstWord(statement.sql());
      if (!kinds.contains(kind)) {
        throw new IllegalArgumentException(
            "The statement begins with \"" + shortened(kind) + "\"" + NameSuggestion.of(kind, kinds)
                + " Allowed here: " + String.join(", ", kinds) + ".");
      }
      if (kind.equals("INSERT")) {
        checkInsert(statement.sql());
      }
    }
    return statements;
  }

  private List<SqlStatement> read() {
    while (at < text.length()) {
      char next = text.charAt(at);
      if (next == '\'' || next == '"' || next == '`') {
        quoted(next);
      } else if (text.startsWith("--", at)) {
        at = endOf("\n");
        space();
      } else if (text.startsWith("/*", at)) {
        if (text.indexOf("*/", at + 2) < 0) {
          throw new IllegalArgumentException("A comment has no end.");
        }
        at = endOf("*/");
        space();
      } else if (isValue("arg") || isValue("returned")) {
        ExpressionReader reader = new ExpressionReader(text, at);
        arguments.add(reader.expression(0));
        at = reader.position();
        sql.append('?');
      } else if (isValue("row")) {
        throw new IllegalArgumentException("row[…] stands in the call of a recovery only. Write arg[0], or the name of a column.");
      } else {
        other(next);
        at++;
      }
    }
    endStatement();
    return statements;
  }

  private void other(char next) {
    if (next == ';') {
      endStatement();
    } else if (next == '?') {
      throw new IllegalArgumentException("\"?\" stands in the statement. Write the value itself: arg[0], arg[0].property or returned.");
    } else if (Character.isWhitespace(next)) {
      space();
    } else {
      brackets += next == '(' ? 1 : next == ')' ? -1 : 0;
      if (brackets < 0) {
        throw new IllegalArgumentException("The statement has a \")\" without a \"(\".");
      }
      sql.append(next);
    }
  }

  /** Whether a value begins here: the word alone, or with an index. */
  private boolean isValue(String word) {
    if (!text.startsWith(word, at) || at > 0 && (isWord(text.charAt(at - 1)) || text.charAt(at - 1) == '.')) {
      return false;
    }
    int end = at + word.length();
    if (word.equals("returned")) {
      return end == text.length() || !isWord(text.charAt(end));
    }
    while (end < text.length() && Character.isWhitespace(text.charAt(end))) {
      end++;
    }
    return end < text.length() && text.charAt(end) == '[';
  }

  private static boolean isWord(char character) {
    return Character.isJavaIdentifierPart(character) && character != 0;
  }

  private void quoted(char quote) {
    int begin = at++;
    while (at < text.length()) {
      char next = text.charAt(at++);
      if (next == '\\') {
        throw new IllegalArgumentException(
            "A text between quotation marks contains a backslash, which databases read differently. Pass the text as an argument.");
      }
      if (next == quote && (at == text.length() || text.charAt(at) != quote)) {
        sql.append(text, begin, at);
        return;
      }
      if (next == quote) {
        at++;
      }
    }
    throw new IllegalArgumentException("A " + quote + " has no end.");
  }

  private int endOf(String mark) {
    int found = text.indexOf(mark, at);
    return found < 0 ? text.length() : found + mark.length();
  }

  private void space() {
    if (!sql.isEmpty() && sql.charAt(sql.length() - 1) != ' ') {
      sql.append(' ');
    }
  }

  private void endStatement() {
    if (brackets > 0) {
      throw new IllegalArgumentException("The statement has a \"(\" without a \")\".");
    }
    String statement = sql.toString().strip();
    if (!statement.isEmpty()) {
      statements.add(new SqlStatement(place, statement, arguments, ownDialect));
    }
    sql.setLength(0);
    arguments.clear();
  }

  private static String firstWord(String sql) {
    int end = 0;
    while (end < sql.length() && Character.isLetter(sql.charAt(end))) {
      end++;
    }
    return (end == 0 ? sql : sql.substring(0, end)).toUpperCase(Locale.ROOT);
  }

  private static String shortened(String word) {
    return word.length() > 20 ? word.substring(0, 20) + "…" : word;
  }

  /** Each row has as many values as the statement has columns, where it lists them, and as the other rows. */
  private static void checkInsert(String sql) {
    List<String> parts = topLevel(sql);
    int values = indexOf(parts, "VALUES");
    if (values < 0) {
      return;
    }
    int columns = -1;
    for (int i = 0; i < parts.size(); i++) {
      String part = parts.get(i);
      if (i > values && !part.startsWith("(") && !part.equals(",")) {
        return;
      }
      if (!part.startsWith("(")) {
        continue;
      }
      int count = listed(part.substring(1, part.length() - 1));
      if (columns >= 0 && count != columns) {
        throw new IllegalArgumentException(
            "The INSERT has " + count + " values for " + columns + (i > values ? " columns." : " values."));
      }
      columns = count;
    }
  }

  /** Returns the number of columns of a SELECT, or -1 where only the database knows it. */
  static int columns(String query) {
    List<String> parts = topLevel(query);
    int from = indexOf(parts, "FROM");
    if (parts.isEmpty() || !parts.get(0).equalsIgnoreCase("SELECT") || indexOf(parts, "UNION") >= 0) {
      return -1;
    }
    List<String> selected = parts.subList(1, from < 0 ? parts.size() : from);
    if (selected.stream().anyMatch(part -> part.equals("*") || part.endsWith(".*"))) {
      return -1;
    }
    return listed(String.join(" ", selected));
  }

  private static int indexOf(List<String> parts, String word) {
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).equalsIgnoreCase(word)) {
        return i;
      }
    }
    return -1;
  }

  /** The number of parts between commas that are in no bracket and no quotation marks. */
  private static int listed(String list) {
    return list.isBlank() ? 0 : 1 + (int) topLevel(list).stream().filter(","::equals).count();
  }

  /** Words, commas, and brackets with all that they contain. */
  private static List<String> topLevel(String sql) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    int depth = 0;
    char quote = 0;
    for (int i = 0; i < sql.length(); i++) {
      char next = sql.charAt(i);
      boolean plain = quote == 0 && depth == 0;
      if (plain && (next == ' ' || next == ',' || next == '(') && !part.isEmpty()) {
        parts.add(part.toString());
        part.setLength(0);
      }
      if (quote != 0) {
        quote = next == quote ? 0 : quote;
      } else if (next == '\'' || next == '"' || next == '`') {
        quote = next;
      } else {
        depth += next == '(' ? 1 : next == ')' ? -1 : 0;
      }
      if (plain && next == ',') {
        parts.add(",");
      } else if (!plain || next != ' ') {
        part.append(next);
      }
      if (quote == 0 && depth == 0 && next == ')') {
        parts.add(part.toString());
        part.setLength(0);
      }
    }
    if (!part.isEmpty()) {
      parts.add(part.toString());
    }
    return parts;
  }
}
