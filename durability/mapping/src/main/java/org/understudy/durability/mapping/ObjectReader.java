package org.understudy.durability.mapping;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Reads the element of a mechanism: instructions for the object as a whole, and the rules for its methods. */
final class ObjectReader {
  private static final List<String> DEFINITIONS = List.of("CREATE", "ALTER", "INSERT", "COMMENT");
  private static final List<String> QUERIES = List.of("SELECT", "WITH", "VALUES", "TABLE");
  private static final List<String> UPDATES = List.of("INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE");

  private final ElementChecks checks;
  private final Mechanism mechanism;
  private final List<SqlStatement> tables = new ArrayList<>();
  private final List<Query> queries = new ArrayList<>();
  private final List<MethodRule> methods = new ArrayList<>();
  private final Map<String, XmlElement> seen = new HashMap<>();
  private Optional<Call> initialization = Optional.empty();
  private Optional<String> checkpoint = Optional.empty();
  private Optional<String> restore = Optional.empty();

  ObjectReader(List<MappingProblem> problems, Mechanism mechanism) {
    this.checks = new ElementChecks(problems);
    this.mechanism = mechanism;
  }

  void read(XmlElement element) {
    List<String> known = switch (mechanism) {
      case REPLICATION -> List.of("initialization", "read", "update", "checkpoint", "restore");
      case DATABASE -> List.of("initialization", "recovery", "read", "update");
      case RECONSTRUCTION -> List.of("initialization", "read", "update");
    };
    checks.attributes(element, List.of(), List.of());
    checks.children(element, known);
    for (XmlElement child : element.children()) {
      if (known.contains(child.name())) {
        child(child);
      }
    }
    if (checkpoint.isPresent() != restore.isPresent()) {
      checks.problem(element, "The elements checkpoint and restore belong together; one of them is missing.");
    }
    if (mechanism == Mechanism.DATABASE && queries.isEmpty()) {
      checks.problem(element, "The element recovery is missing: without it the object is empty after a failure.");
    }
  }

  StateObject.Instructions instructions() {
    return new StateObject.Instructions(tables, queries, initialization, checkpoint, restore);
  }

  List<MethodRule> methods() {
    return methods;
  }

  private void child(XmlElement child) {
    switch (child.name()) {
      case "initialization" -> {
        if (mechanism == Mechanism.DATABASE) {
          tables(child);
        } else {
          initialization = call(child, initialization);
        }
      }
      case "recovery" -> query(child);
      case "checkpoint" -> checkpoint = method(child, checkpoint);
      case "restore" -> restore = method(child, restore);
      default -> rule(child);
    }
  }

  private void tables(XmlElement element) {
    checks.attributes(element, List.of(), List.of("dialect"));
    checks.children(element, List.of());
    List<SqlStatement> read = checks.parsed(
        element, () -> SqlReader.read(element.place(), element.text(), ownDialect(element), DEFINITIONS));
    if (read == null) {
      return;
    }
    if (read.isEmpty()) {
      checks.problem(element, "The element has no statement.");
    }
    if (read.stream().anyMatch(statement -> !statement.arguments().isEmpty())) {
      checks.problem(element, "An initialization has no arguments.");
    }
    tables.addAll(read);
  }

  private static boolean ownDialect(XmlElement element) {
    String dialect = element.attributes().getOrDefault("dialect", "standard");
    if (!dialect.equals("own") && !dialect.equals("standard")) {
      throw new IllegalArgumentException(
          "The attribute dialect is \"" + ElementChecks.shortened(dialect) + "\". It is standard, or own if only the configured database"
              + " understands the statement.");
    }
    return dialect.equals("own");
  }

  private void query(XmlElement element) {
    checks.attributes(element, List.of("query"), List.of("dialect"));
    checks.children(element, List.of());
    List<SqlStatement> read = checks.parsed(
        element,
        () -> SqlReader.read(element.place(), element.attributes().getOrDefault("query", ""), ownDialect(element), QUERIES));
    Call call = checks.parsed(element, () -> ExpressionReader.call(element.place(), element.text()));
    if (read == null || call == null) {
      return;
    }
    if (read.size() != 1 || !read.get(0).arguments().isEmpty()) {
      checks.problem(element, "A query is one statement without arguments.");
      return;
    }
    int columns = SqlReader.columns(read.get(0).sql());
    checkValues(element, call.arguments(), columns);
    queries.add(new Query(element.place(), read.get(0), columns, call));
  }

  /** In a recovery there are columns of a row, and no arguments of an update. */
  private void checkValues(XmlElement element, List<Expression> values, int columns) {
    for (Expression value : values) {
      if (value instanceof Expression.Column column && columns >= 0 && column.index() >= columns) {
        checks.problem(element, "row[" + column.index() + "] does not exist: the query has " + columns + " columns, from row[0].");
      } else if (value instanceof Expression.Argument || value instanceof Expression.Returned) {
        checks.problem(element, "A recovery has no arguments of an update. Use the columns of the query: row[0].");
      } else if (value instanceof Expression.New object) {
        checkValues(element, object.arguments(), columns);
      }
    }
  }

  private Optional<Call> call(XmlElement element, Optional<Call> before) {
    checks.attributes(element, List.of(), List.of());
    checks.children(element, List.of());
    second(element, before.isPresent());
    Call call = checks.parsed(element, () -> ExpressionReader.call(element.place(), element.text()));
    if (call != null && !call.arguments().stream().allMatch(Expression.Literal.class::isInstance)) {
      checks.problem(element, "The arguments of this call are numbers, strings, true, false or null.");
    }
    return Optional.ofNullable(call);
  }

  private Optional<String> method(XmlElement element, Optional<String> before) {
    checks.attributes(element, List.of("method"), List.of());
    checks.empty(element);
    second(element, before.isPresent());
    return checks.name(element, "method", false);
  }

  private void second(XmlElement element, boolean present) {
    if (present) {
      checks.problem(element, "The element stands here twice.");
    }
  }

  private void rule(XmlElement element) {
    boolean update = element.name().equals("update");
    boolean statements = update && mechanism == Mechanism.DATABASE;
    checks.attributes(element, List.of("method"), statements ? List.of("parameters", "when", "dialect") : List.of("parameters"));
    Optional<List<String>> parameters = Optional.ofNullable(element.attributes().get("parameters")).map(ObjectReader::types);
    Optional<StateUpdate> instruction = Optional.empty();
    if (!update) {
      checks.empty(element);
    } else {
      instruction = Optional.ofNullable(switch (mechanism) {
        case REPLICATION -> replicated(element);
        case DATABASE -> statements(element);
        case RECONSTRUCTION -> {
          checks.empty(element);
          yield new StateUpdate.Memory();
        }
      });
    }
    Optional<String> method = checks.name(element, "method", false);
    if (method.isEmpty() || update && instruction.isEmpty()) {
      return;
    }
    String key = method.get() + parameters.map(Object::toString).orElse("");
    XmlElement first = seen.putIfAbsent(key, element);
    if (first != null) {
      checks.problem(element, "The method " + method.get() + " is listed twice. The other one is in line " + first.place().line()
          + ". Distinguish overloads by the attribute parameters.");
    }
    methods.add(new MethodRule(element.place(), method.get(), parameters, instruction));
  }

  /** Types between commas; commas within type arguments do not occur, since types are given without them. */
  private static List<String> types(String text) {
    return text.isBlank() ? List.of() : Arrays.stream(text.split(",", -1)).map(type -> type.replaceAll("\\s", "")).toList();
  }

  private StateUpdate replicated(XmlElement element) {
    checks.children(element, List.of("repeat", "capture"));
    if (element.children().isEmpty()) {
      return new StateUpdate.Capture();
    }
    if (element.children().size() > 1) {
      checks.problem(element, "An update has one of the elements repeat and capture; this one has " + element.children().size() + ".");
      return null;
    }
    XmlElement child = element.children().get(0);
    if (child.name().equals("capture")) {
      checks.attributes(child, List.of(), List.of());
      checks.empty(child);
      return new StateUpdate.Capture();
    }
    return child.name().equals("repeat") ? repeat(child) : null;
  }

  private StateUpdate repeat(XmlElement element) {
    checks.attributes(element, List.of(), List.of("deterministic"));
    checks.children(element, List.of());
    if (!"true".equals(element.attributes().get("deterministic"))) {
      checks.problem(
          element,
          "repeat needs deterministic=\"true\": every replica executes the method, and each must reach the same state. Declare it if the"
              + " method uses no clock, no random number and no other object; else use <capture/>.");
    }
    if (element.text().isBlank()) {
      return new StateUpdate.Repeat(Optional.empty());
    }
    Call call = checks.parsed(element, () -> ExpressionReader.call(element.place(), element.text()));
    if (call != null && contains(call.arguments(), Expression.Column.class)) {
      checks.problem(element, "row[…] stands in recoveries only.");
    }
    if (call != null && contains(call.arguments(), Expression.Returned.class)) {
      checks.problem(
          element, "A repeated call is recorded before the method is executed, so it cannot use what the method returns. Use <capture/>.");
    }
    return call == null ? null : new StateUpdate.Repeat(Optional.of(call));
  }

  private static boolean contains(List<Expression> values, Class<? extends Expression> kind) {
    return values.stream().anyMatch(value -> kind.isInstance(value)
        || value instanceof Expression.New object && contains(object.arguments(), kind));
  }

  private StateUpdate statements(XmlElement element) {
    checks.children(element, List.of());
    List<SqlStatement> read = checks.parsed(element, () -> SqlReader.read(element.place(), element.text(), ownDialect(element), UPDATES));
    Optional<Expression> when = Optional.ofNullable(element.attributes().get("when"))
        .map(text -> checks.parsed(element, () -> ExpressionReader.value(text)));
    if (when.filter(value -> !(value instanceof Expression.Argument || value instanceof Expression.Returned)).isPresent()) {
      checks.problem(element, "The attribute when is arg[0], returned, or a property of them.");
    }
    if (read != null && read.isEmpty()) {
      checks.problem(element, "The update has no statement. A method that changes nothing is a read.");
    }
    return Objects.requireNonNullElse(read, List.<SqlStatement>of()).isEmpty() ? null : new StateUpdate.Statements(read, when);
  }
}
