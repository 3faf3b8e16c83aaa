package org.understudy.lab.torture.history;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A history as JSON lines: an object for each operation, then one for each transaction, cut and fault. docs/torture.md describes the
 * members.
 */
public final class HistoryFile {
  private static final ObjectMapper JSON = new ObjectMapper();

  private HistoryFile() {}

  /** Writes a file, in place of one that exists. */
  public static void write(Path file, History.Recorded history) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (Operation operation : history.operations()) {
        line(out, node(operation));
      }
      for (ClientTransaction transaction : history.transactions()) {
        line(out, node(transaction));
      }
      for (Cut cut : history.cuts()) {
        line(out, node(cut));
      }
      for (InjectedFault fault : history.faults()) {
        line(out, node(fault));
      }
    }
  }

  /** @throws IOException when the file cannot be read, or a line is not one of a history */
  public static History.Recorded read(Path file) throws IOException {
    List<Operation> operations = new ArrayList<>();
    List<ClientTransaction> transactions = new ArrayList<>();
    List<Cut> cuts = new ArrayList<>();
    List<InjectedFault> faults = new ArrayList<>();
    int number = 0;
    try (BufferedReader in = Files.newBufferedReader(file)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        number++;
        JsonNode node = JSON.readTree(line);
        if (node.has("transaction")) {
          transactions.add(transaction(node));
        } else if (node.has("cut")) {
          cuts.add(cut(node));
        } else if (node.has("fault")) {
          faults.add(fault(node));
        } else {
          operations.add(operation(node));
        }
      }
    } catch (IllegalArgumentException | com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IOException("Line " + number + " of " + file + " is not one of a history: " + e.getMessage(), e);
    }
    return new History.Recorded(operations, transactions, cuts, faults);
  }

  private static void line(BufferedWriter out, ObjectNode node) throws IOException {
    out.write(node.toString());
    out.write('\n');
  }

  private static ObjectNode node(Operation operation) {
    ObjectNode node = JSON.createObjectNode().put("client", operation.client())
        .put("operation", operation.update() ? "add" : "read").put("level", operation.level().word())
        .put("resource", operation.resource());
    if (operation.update()) {
      node.put("amount", operation.amount());
    }
    if (operation.ok()) {
      node.put("value", operation.value());
    }
    node.put("invoke", operation.invoked()).put("return", operation.returned()).put("outcome", operation.outcome().word());
    if (operation.replica() != 0) {
      node.put("replica", operation.replica());
    }
    return node;
  }

  private static ObjectNode node(ClientTransaction transaction) {
    ObjectNode node = JSON.createObjectNode().put("client", transaction.client()).put("invoke", transaction.invoked());
    ArrayNode calls = node.putArray("transaction");
    for (ClientTransaction.Call call : transaction.calls()) {
      calls.addObject().put("resource", call.resource()).put("amount", call.amount()).put("value", call.value())
          .put("invoke", call.invoked()).put("return", call.returned());
    }
    ArrayNode answers = node.putArray("answers");
    for (ClientTransaction.Answer answer : transaction.answers()) {
      ObjectNode line = answers.addObject().put("request", answer.request().word()).put("invoke", answer.invoked())
          .put("return", answer.returned()).put("outcome", answer.outcome().word());
      if (answer.replica() != 0) {
        line.put("replica", answer.replica());
      }
    }
    return node.put("outcome", transaction.outcome().word());
  }

  private static ObjectNode node(Cut cut) {
    ObjectNode node = JSON.createObjectNode().put("cut", cut.fault());
    cut.minority().stream().sorted().forEach(node.putArray("minority")::add);
    return node.put("from", cut.from()).put("to", cut.to());
  }

  private static ObjectNode node(InjectedFault fault) {
    return JSON.createObjectNode().put("fault", fault.number()).put("kind", fault.kind()).put("replica", fault.replica())
        .put("primary", fault.primary()).put("successor", fault.successor()).put("from", fault.from()).put("to", fault.to());
  }

  private static Operation operation(JsonNode node) {
    Outcome outcome = Outcome.parse(node.path("outcome").asText());
    Level level = Level.parse(node.path("level").asText());
    if (level == Level.UPDATE && number(node, "amount") < 1) {
      throw new IllegalArgumentException("amount is 1 at least.");
    }
    return new Operation(node.path("client").asText(), level, number(node, "resource"),
        level == Level.UPDATE ? number(node, "amount") : 0, outcome == Outcome.OK ? number(node, "value") : 0,
        time(node, "invoke"), time(node, "return"), outcome, node.path("replica").asInt());
  }

  private static ClientTransaction transaction(JsonNode node) {
    List<ClientTransaction.Call> calls = new ArrayList<>();
    for (JsonNode call : node.path("transaction")) {
      if (number(call, "amount") < 0) {
        throw new IllegalArgumentException("amount of a call is 0 at least.");
      }
      calls.add(new ClientTransaction.Call(
          number(call, "resource"), number(call, "amount"), number(call, "value"), time(call, "invoke"), time(call, "return")));
    }
    List<ClientTransaction.Answer> answers = new ArrayList<>();
    for (JsonNode answer : node.path("answers")) {
      answers.add(new ClientTransaction.Answer(ClientTransaction.Request.parse(answer.path("request").asText()),
          TransactionOutcome.parse(answer.path("outcome").asText()), answer.path("replica").asInt(), time(answer, "invoke"),
          time(answer, "return")));
    }
    return new ClientTransaction(node.path("client").asText(), time(node, "invoke"), calls, answers);
  }

  private static Cut cut(JsonNode node) {
    Set<Integer> minority = new HashSet<>();
    node.path("minority").forEach(replica -> minority.add(replica.asInt()));
    return new Cut(number(node, "cut"), minority, time(node, "from"), time(node, "to"));
  }

  private static InjectedFault fault(JsonNode node) {
    return new InjectedFault(number(node, "fault"), node.path("kind").asText(), number(node, "replica"), number(node, "primary"),
        number(node, "successor"), time(node, "from"), time(node, "to"));
  }

  private static int number(JsonNode node, String name) {
    if (!node.path(name).canConvertToInt()) {
      throw new IllegalArgumentException(name + " is missing, or not a number.");
    }
    return node.path(name).asInt();
  }

  private static long time(JsonNode node, String name) {
    if (!node.path(name).canConvertToLong()) {
      throw new IllegalArgumentException(name + " is missing, or not a time.");
    }
    return node.path(name).asLong();
  }
}
