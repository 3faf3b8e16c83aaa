package org.understudy.container.configuration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** {@code conf/understudy.properties}. */
class ConfigurationFilesTest {
  private static final Path FILE = Path.of("../conf/understudy.properties");
  private static final int COLUMNS = 118;
  /** What no default can know: here three replicas on one machine. The empty secret stops the start. */
  private static final Map<Key, String> REQUIRED =
      Map.of(
          Key.REPLICA, "1",
          Key.REPLICAS, "1=http://127.0.0.1:8081/app,2=http://127.0.0.1:8082/app,3=http://127.0.0.1:8083/app",
          Key.PEERS, "1=127.0.0.1:9081,2=127.0.0.1:9082,3=127.0.0.1:9083",
          Key.SECRET, "",
          Key.DIRECTORY, "/var/lib/understudy");

  static void write() throws IOException {
    Files.writeString(FILE, file());
  }

  /** Called by the test of docs/configuration.md, which writes both. */
  static void verify() throws IOException {
    assertEquals(
        file(), Files.readString(FILE),
        "conf/understudy.properties is out of date; run ConfigurationTest with -Dunderstudy.write.docs=true");
  }

  @Test
  void itNeedsASecretAndNothingElse() throws Exception {
    Properties file = read(Files.readString(FILE));
    ConfigurationException refusal = assertThrows(ConfigurationException.class, () -> Configuration.of(file));
    assertTrue(refusal.getMessage().contains(Key.SECRET.property()), refusal.getMessage());
    file.setProperty(Key.SECRET.property(), "sixteen characters");
    assertEquals(3, Configuration.of(file).replicas().size());
  }

  @Test
  void exampleKeysCanBeUncommented() throws Exception {
    Properties all = read(Files.readString(FILE).replaceAll("(?m)^#(understudy[.a-z]+=.+)$", "$1"));
    all.setProperty(Key.SECRET.property(), "sixteen characters");
    assertTrue(all.size() > 40, all::toString);
    assertEquals(3, Configuration.of(all).replicas().size());
  }

  private static Properties read(String text) throws IOException {
    Properties properties = new Properties();
    properties.load(new StringReader(text));
    return properties;
  }

  private static String file() {
    StringBuilder text = new StringBuilder();
    comment(
        text,
        "The configuration of one replica: conf/understudy.properties of its Tomcat, or where the system property understudy.config, "
            + "the environment variable UNDERSTUDY_CONFIG or the context parameter understudy.config says. It is the same on every "
            + "replica, except for " + String.join(", ", ConfigurationTest.perReplica()) + ".");
    text.append("#\n");
    comment(
        text,
        "A system property with the name of a key overrides its environment variable (UNDERSTUDY_REPLICA for understudy.replica), "
            + "which overrides this file. Keys with # before them have the value that is shown, or none. The others must be set: "
            + "here for three replicas on one machine.");
    for (Key key : Key.values()) {
      text.append('\n');
      comment(text, key.meaning());
      comment(text, "Range: " + key.range());
      String required = REQUIRED.get(key);
      if (key == Key.SECRET) {
        comment(text, "Make one with: head -c 24 /dev/urandom | base64");
      }
      String value = required != null ? required : key.defaultValue() == null ? "" : key.defaultValue();
      text.append(required == null ? "#" : "").append(key.property()).append('=').append(value).append('\n');
    }
    return text.toString();
  }

  private static void comment(StringBuilder text, String words) {
    StringBuilder line = new StringBuilder("#");
    for (String word : words.split(" ")) {
      if (line.length() + 1 + word.length() > COLUMNS) {
        text.append(line).append('\n');
        line = new StringBuilder("#");
      }
      line.append(' ').append(word);
    }
    text.append(line).append('\n');
  }
}
