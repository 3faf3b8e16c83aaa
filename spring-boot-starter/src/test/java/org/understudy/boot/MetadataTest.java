package org.understudy.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.container.configuration.Key;

class MetadataTest {
  @Test
  void everyKeyIsDescribed() throws Exception {
    try (InputStream in = getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      List<String> missing =
          Arrays.stream(Key.values()).map(Key::property).filter(key -> !text.contains("\"name\": \"" + key + "\"")).toList();
      assertEquals(List.of(), missing);
    }
  }
}
