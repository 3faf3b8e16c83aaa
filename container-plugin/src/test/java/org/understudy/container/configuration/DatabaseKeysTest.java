package org.understudy.container.configuration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Properties;
import org.junit.jupiter.api.Test;

class DatabaseKeysTest {
  private static Properties group(String... keysAndValues) {
    Properties properties = new Properties();
    properties.setProperty("understudy.replica", "1");
    properties.setProperty("understudy.replicas", "1=http://a:1/c,2=http://b:1/c");
    properties.setProperty("understudy.peers", "1=127.0.0.1:2,2=127.0.0.1:3");
    properties.setProperty("understudy.secret", "sixteen characters");
    properties.setProperty("understudy.directory", "/tmp/x");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      properties.setProperty("understudy.database." + keysAndValues[i], keysAndValues[i + 1]);
    }
    return properties;
  }

  private static String refusal(Properties properties) {
    return assertThrows(ConfigurationException.class, () -> Configuration.of(properties)).getMessage();
  }

  @Test
  void aGroupIsRefusedWithAnEmbeddedDatabase() throws Exception {
    for (String url : new String[] {"jdbc:h2:./bills", "jdbc:h2:mem:bills", "jdbc:h2:~/bills;AUTO_SERVER=TRUE"}) {
      String message = refusal(group("url", url));
      assertTrue(message.contains("embedded H2") && message.contains("2 replicas") && !message.contains("\n"), message);
    }
    Properties single = group("url", "jdbc:h2:./bills");
    single.setProperty("understudy.replicas", "1=http://a:1/c");
    single.setProperty("understudy.strategy", "none");
    assertEquals("jdbc:h2:./bills", Configuration.of(single).databaseSetting("understudy.database.url"));
  }

  @Test
  void theServiceReadsTheKeysOfItsDatabaseOnly() throws Exception {
    Configuration configuration = Configuration.of(group("url", "jdbc:mysql://127.0.0.1/bills", "password", "sesame"));
    assertEquals("sesame", configuration.databaseSetting("understudy.database.password"));
    assertEquals("16", configuration.databaseSetting("understudy.database.pool"));
    assertNull(configuration.databaseSetting("understudy.database.user"));
    assertNull(configuration.databaseSetting("understudy.secret"));
  }

  @Test
  void invalidValuesAreRefused() {
    String url = "jdbc:mysql://127.0.0.1/bills";
    assertTrue(refusal(group("url", "jdbc:postgresql://a/b")).contains("understudy.database.url"));
    assertTrue(refusal(group("url", url, "pool", "65")).contains("understudy.database.pool"));
    assertTrue(refusal(group("url", url, "tls", "perhaps")).contains("understudy.database.tls"));
    assertTrue(refusal(group("url", url, "lock.ms", "9000")).contains("understudy.database.timeout.ms"));
    assertTrue(refusal(group("url", url, "password", "a", "password.file", "b")).contains("both set"));
  }
}
