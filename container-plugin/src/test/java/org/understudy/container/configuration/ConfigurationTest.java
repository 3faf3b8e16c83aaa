package org.understudy.container.configuration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class ConfigurationTest {

  private static Properties good() {
    Properties properties = new Properties();
    properties.setProperty("understudy.replica", "1");
    properties.setProperty("understudy.replicas", "1=http://a:1/c,2=http://b:1/c,3=http://c:1/c");
    properties.setProperty("understudy.peers", "1=a:2,2=b:2,3=c:2");
    properties.setProperty("understudy.secret", "sixteen characters");
    properties.setProperty("understudy.directory", "/tmp/x");
    return properties;
  }

  @Test
  void takesWhatIsRight() throws Exception {
    Configuration configuration = Configuration.of(good());
    assertEquals("primary-backup", configuration.strategy());
    assertEquals(3, configuration.replicas().size());
  }

  @Test
  void refusesWhatIsWrongInOneLine() {
    refused("understudy.replika", "1", "There is no key understudy.replika");
    refused("understudy.replica", "x", "must be a whole number");
    refused("understudy.replica", "4", "not this replica, which is 4");
    refused("understudy.replicas", "1=http://a:1/c,1=http://b:1/c", "lists replica 1 twice");
    refused("understudy.replicas", "1=http://a:1/c,2=http://a:1/c", "two replicas the address");
    refused("understudy.replicas", "1=nonsense", "no URL like");
    refused("understudy.transfer", "pigeon", "must be one of socket, call, notification");
    refused("understudy.strategy", "magic", "must be one of");
    refused("understudy.secret", "short", "shorter than 16 characters");
    refused("understudy.suspect.ms", "60", "less than two heartbeats");
    refused("understudy.peers", "1=a:2", "lists [1] but");
    refused("understudy.trust.store", "/no/such/store", "cannot be used as a key store");
    refused("understudy.load.threshold", "many", "must be a whole number");
  }

  @Test
  void refusesAnAddressThatTheTransferModeCannotReach() throws Exception {
    Properties properties = good();
    properties.setProperty("understudy.replicas", "1=https://a:1/c,2=https://b:1/c,3=https://c:1/c");
    assertEquals("socket", Configuration.of(properties).transfer());
    properties.setProperty("understudy.transfer", "call");
    assertEquals("call", Configuration.of(properties).transfer());
    properties.remove("understudy.peers");
    ConfigurationException refusal = assertThrows(ConfigurationException.class, () -> Configuration.of(properties));
    assertTrue(refusal.getMessage().contains("plain HTTP"), refusal.getMessage());
  }

  private static void refused(String key, String value, String said) {
    Properties properties = good();
    properties.setProperty(key, value);
    ConfigurationException refusal =
        assertThrows(ConfigurationException.class, () -> Configuration.of(properties), key + "=" + value);
    assertTrue(refusal.getMessage().contains(said), refusal.getMessage());
    assertEquals(1, refusal.getMessage().lines().count());
  }

  /** The page is made of the keys: run with -Dunderstudy.write.docs=true to write it anew. */
  @Test
  void thePageSaysWhatTheCodeDoes() throws Exception {
    Path page = Path.of("../docs/configuration.md");
    if (Boolean.getBoolean("understudy.write.docs")) {
      Files.writeString(page, page());
    }
    assertEquals(page(), Files.readString(page), "docs/configuration.md is out of date");
  }

  private static String page() {
    StringBuilder text = new StringBuilder();
    text.append("# Configuration\n\nOne file, the same on every replica but for `understudy.replica` and")
        .append(" `understudy.directory`. It is looked for in\nthe system property `understudy.config`, the environment")
        .append(" variable `UNDERSTUDY_CONFIG`, the context parameter\n`understudy.config`, and")
        .append(" `conf/understudy.properties` of Tomcat. A system property of a key's name goes before the\n")
        .append("environment variable, which goes before the file. A wrong key or value stops the start with one line.\n\n")
        .append("| key | environment | default | range | meaning |\n|---|---|---|---|---|\n");
    for (Key key : Key.values()) {
      text.append("| `").append(key.property()).append("` | `").append(key.variable()).append("` | ")
          .append(key.defaultValue() == null ? "none" : "`" + key.defaultValue() + "`").append(" | ")
          .append(key.range()).append(" | ").append(key.meaning()).append(" |\n");
    }
    return text.toString();
  }
}
