package org.understudy.lab.torture.history;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.lab.torture.history.ClientTransaction.Answer;
import org.understudy.lab.torture.history.ClientTransaction.Call;
import org.understudy.lab.torture.history.ClientTransaction.Request;

class HistoryFileTest {
  @TempDir private Path folder;

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    History history = new History();
    history.add(new Operation("b", Level.SESSION, 1, 0, 7, 30, 40, Outcome.OK, 3));
    history.add(new Operation("a", Level.UPDATE, 0, 5, 5, 1, 2, Outcome.OK, 0));
    history.add(new Operation("a", Level.UPDATE, 0, 9, 0, 3, 4_000_000_000_000L, Outcome.UNKNOWN, 0));
    history.add(new Operation("a", Level.LOCAL, 0, 0, 0, 50, 60, Outcome.FAIL, 2));
    history.add(new ClientTransaction("b", 45, List.of(new Call(0, 5, 10, 46, 47), new Call(1, 0, 7, 48, 49)),
        List.of(new Answer(Request.COMMIT, TransactionOutcome.UNKNOWN, 0, 50, 51),
            new Answer(Request.COMMIT, TransactionOutcome.COMMITTED, 2, 52, 53))));
    history.add(new Cut(1, Set.of(2, 3), 10, 20));
    history.add(new InjectedFault(1, "kill", 3, 3, 2, 11, 19));
    Path file = folder.resolve("history");
    HistoryFile.write(file, history.recorded());
    assertEquals(history.recorded(), HistoryFile.read(file));
    assertEquals(
        "{\"client\":\"a\",\"operation\":\"add\",\"level\":\"update\",\"resource\":0,\"amount\":5,\"value\":5,\"invoke\":1,\"return\":2,"
            + "\"outcome\":\"ok\"}",
        Files.readAllLines(file).get(0));
    assertEquals("{\"cut\":1,\"minority\":[2,3],\"from\":10,\"to\":20}", Files.readAllLines(file).get(5));
    assertEquals("{\"fault\":1,\"kind\":\"kill\",\"replica\":3,\"primary\":3,\"successor\":2,\"from\":11,\"to\":19}",
        Files.readAllLines(file).get(6));
    assertEquals("{\"client\":\"b\",\"invoke\":45,\"transaction\":["
            + "{\"resource\":0,\"amount\":5,\"value\":10,\"invoke\":46,\"return\":47},"
            + "{\"resource\":1,\"amount\":0,\"value\":7,\"invoke\":48,\"return\":49}],\"answers\":["
            + "{\"request\":\"commit\",\"invoke\":50,\"return\":51,\"outcome\":\"unknown\"},"
            + "{\"request\":\"commit\",\"invoke\":52,\"return\":53,\"outcome\":\"committed\",\"replica\":2}],"
            + "\"outcome\":\"committed\"}",
        Files.readAllLines(file).get(4));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "nonsense", "{}", "{\"client\":\"a\",\"level\":\"update\",\"resource\":0,\"invoke\":1,\"return\":2,\"outcome\":\"ok\"}",
    "{\"client\":\"a\",\"level\":\"update\",\"resource\":0,\"amount\":0,\"value\":0,\"invoke\":1,\"return\":2,\"outcome\":\"ok\"}",
    "{\"client\":\"a\",\"level\":\"read\",\"resource\":0,\"value\":0,\"invoke\":1,\"return\":2,\"outcome\":\"ok\"}",
    "{\"transaction\":[{}],\"client\":\"a\",\"invoke\":1}",
    "{\"transaction\":[],\"answers\":[{\"request\":\"commit\",\"invoke\":1,\"return\":2,\"outcome\":\"ok\"}],\"invoke\":1}",
    "{\"cut\":1,\"minority\":[1]}", "{\"fault\":1,\"kind\":\"kill\",\"replica\":1,\"primary\":1}"})
  void anotherLineIsRefusedWithItsNumber(String line) throws IOException {
    Path file = Files.writeString(folder.resolve("history"),
        "{\"client\":\"a\",\"level\":\"local\",\"resource\":0,\"value\":0,\"invoke\":1,\"return\":2,\"outcome\":\"ok\"}\n" + line);
    String message = assertThrows(IOException.class, () -> HistoryFile.read(file)).getMessage();
    assertTrue(message.startsWith("Line 2 of "), message);
    assertEquals(List.of(), HistoryFile.read(Files.writeString(file, "")).operations());
  }
}
