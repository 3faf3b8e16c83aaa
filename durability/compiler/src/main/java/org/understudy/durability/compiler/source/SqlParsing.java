package org.understudy.durability.compiler.source;

import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.CCJSqlParserUtil;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.TokenMgrException;
import org.understudy.durability.compiler.classes.Problems;
import org.understudy.durability.mapping.ObjectStatements;
import org.understudy.durability.mapping.SqlStatement;
import org.understudy.durability.mapping.StateObject;

/** Parses the statements of a mapping, so that a mistake is found in the build and not in the first request. */
final class SqlParsing {
  private SqlParsing() {}

  /** Reports statements that cannot be parsed, but for those that are in a dialect of their own. */
  static void check(StateObject object, Problems problems) {
    for (SqlStatement statement : ObjectStatements.of(object)) {
      if (!statement.ownDialect()) {
        check(statement, problems);
      }
    }
  }

  private static void check(SqlStatement statement, Problems problems) {
    CCJSqlParser parser = CCJSqlParserUtil.newParser(statement.sql()).withAllowComplexParsing(true);
    try {
      parser.Statement();
    } catch (ParseException e) {
      boolean located = e.currentToken != null && e.currentToken.next != null && !e.currentToken.next.image.isEmpty();
      report(statement, located ? "at \"" + e.currentToken.next.image + "\"" : "at its end", problems);
    } catch (TokenMgrException e) {
      report(statement, "because of a character", problems);
    }
  }

  private static void report(SqlStatement statement, String where, Problems problems) {
    problems.add(statement.place(), "The statement cannot be parsed " + where + ": " + statement.sql()
        + ". Correct it, or write dialect=\"own\" if the database understands it.");
  }
}
