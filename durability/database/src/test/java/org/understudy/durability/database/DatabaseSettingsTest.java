package org.understudy.durability.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseSettingsTest {
  private static DatabaseSettings settings(String... keysAndValues) {
    Map<String, String> keys = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      keys.put("understudy." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return DatabaseSettings.of(keys::get);
  }

  private static String refusal(String... keysAndValues) {
    String message = assertThrows(IllegalArgumentException.class, () -> settings(keysAndValues)).getMessage();
    assertFalse(message.contains("\n"), message);
    return message;
  }

  @Test
  void hasDefaults() {
    DatabaseSettings settings = settings("database.url", " jdbc:mysql://127.0.0.1/bills ");
    assertEquals(
        new DatabaseSettings(
            "understudy", "jdbc:mysql://127.0.0.1/bills", "", null, 16, DatabaseSettings.Tls.PREFERRED, null, null, 2000, 10_000),
        settings);
  }

  @Test
  void verifiesServersOnOtherMachinesUnlessToldOtherwise() {
    assertEquals(DatabaseSettings.Tls.VERIFIED, settings("database.url", "jdbc:mysql://192.0.2.7:3306/bills").tls());
    assertEquals(
        DatabaseSettings.Tls.REQUIRED, settings("database.url", "jdbc:mysql://192.0.2.7/bills", "database.tls", "required").tls());
    assertTrue(refusal("database.url", "jdbc:h2:tcp://192.0.2.7/bills").contains("jdbc:h2:ssl:"));
    assertEquals(DatabaseSettings.Tls.VERIFIED, settings("database.url", "jdbc:h2:ssl://192.0.2.7/bills").tls());
    assertTrue(refusal("database.url", "jdbc:mysql://127.0.0.1/x", "database.tls", "perhaps").contains("understudy.database.tls"));
  }

  @Test
  void refusesAnEmbeddedDatabaseForAGroup() {
    String replicas = "1=http://a:1/c,2=http://b:1/c";
    for (String url : List.of("jdbc:h2:./bills", "jdbc:h2:file:/tmp/bills", "jdbc:h2:mem:bills", "jdbc:h2:~/bills;AUTO_SERVER=TRUE")) {
      assertTrue(refusal("database.url", url, "replicas", replicas).contains("embedded H2"), url);
      assertEquals(url, settings("database.url", url, "replicas", "1=http://a:1/c").url());
    }
    assertEquals("jdbc:h2:tcp://127.0.0.1/x", settings("database.url", "jdbc:h2:tcp://127.0.0.1/x", "replicas", replicas).url());
  }

  @Test
  void namesTheKeyOfAnInvalidValue() {
    String url = "jdbc:mysql://127.0.0.1/bills";
    assertTrue(refusal().contains("understudy.database.url is not set"));
    assertTrue(refusal("database.url", "jdbc:postgresql://x/y").contains("understudy.database.url"));
    assertTrue(refusal("database.url", "jdbc:mariadb://x/y").contains("jdbc:mysql:"));
    assertTrue(refusal("database.url", url, "database.pool", "65").contains("understudy.database.pool"));
    assertTrue(refusal("database.url", url, "database.pool", "1").contains("from 2 to 64"));
    assertTrue(refusal("database.url", url, "database.pool", "many").contains("understudy.database.pool"));
    assertTrue(refusal("database.url", url, "database.lock.ms", "9000").contains("understudy.database.timeout.ms"));
    assertTrue(refusal("database.url", url, "group", "x".repeat(129)).contains("understudy.group"));
  }

  @Test
  void readsThePasswordOfAFile(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("password"), "sesame\n");
    String url = "jdbc:mysql://127.0.0.1/bills";
    assertEquals("sesame", settings("database.url", url, "database.password.file", file.toString()).password());
    assertTrue(refusal("database.url", url, "database.password.file", file.toString(), "database.password", "x").contains("both set"));
    assertTrue(refusal("database.url", url, "database.password.file", directory.resolve("none").toString()).contains("cannot be read"));
  }

  @Test
  void messagesShowNoSecretOfTheUrl() {
    DatabaseSettings settings = settings("database.url", "jdbc:mysql://u:secret@127.0.0.1/bills?password=secret");
    assertEquals("jdbc:mysql://127.0.0.1/bills", settings.place());
    assertFalse(settings.toString().contains("secret"));
  }
}
