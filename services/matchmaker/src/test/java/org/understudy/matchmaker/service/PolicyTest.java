package org.understudy.matchmaker.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.ContextEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyTest {
  /** A strong reference, because a garbage-collected logger loses its level. */
  private static final Logger SERVER = Logger.getLogger("org.apache");

  @Test
  void nameSelectsAPolicy() {
    assertEquals(Policy.QUEUED, Policy.of(null));
    assertEquals(Policy.QUEUED, Policy.of("queued"));
    assertEquals(Policy.IMMEDIATE, Policy.of(" immediate "));
    assertEquals(Policy.QUEUED, Policy.configured(), "there is no environment here");
    IllegalArgumentException invalid = assertThrows(IllegalArgumentException.class, () -> Policy.of("fair"));
    assertEquals("The policy matchmaker.policy is queued or immediate, not 'fair'.", invalid.getMessage());
  }

  @Test
  void environmentEntryOfTheWebApplicationSelectsThePolicy(@TempDir Path directory) throws Exception {
    SERVER.setLevel(Level.OFF);
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    tomcat.enableNaming();
    Context context = tomcat.addContext("/matchmaker", directory.toString());
    ContextEnvironment entry = new ContextEnvironment();
    entry.setName("matchmaker/policy");
    entry.setType(String.class.getName());
    entry.setValue("immediate");
    context.getNamingResources().addEnvironment(entry);
    AtomicReference<Policy> found = new AtomicReference<>();
    // When the plugin makes the service.
    context.addServletContainerInitializer((classes, application) -> found.set(Policy.configured()), null);
    try {
      tomcat.start();
      assertEquals(Policy.IMMEDIATE, found.get());
    } finally {
      tomcat.stop();
      tomcat.destroy();
      SERVER.setLevel(null);
    }
  }
}
