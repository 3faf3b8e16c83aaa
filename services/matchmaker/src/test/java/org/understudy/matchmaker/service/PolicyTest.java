package org.understudy.matchmaker.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class PolicyTest {
  @Test
  void nameSelectsAPolicy() {
    assertEquals(Policy.QUEUED, Policy.of(null));
    assertEquals(Policy.QUEUED, Policy.of("queued"));
    assertEquals(Policy.IMMEDIATE, Policy.of(" immediate "));
    assertEquals(Policy.QUEUED, Policy.configured(), "there is no environment here");
    IllegalArgumentException invalid = assertThrows(IllegalArgumentException.class, () -> Policy.of("fair"));
    assertEquals("The policy matchmaker.policy is queued or immediate, not 'fair'.", invalid.getMessage());
  }
}
