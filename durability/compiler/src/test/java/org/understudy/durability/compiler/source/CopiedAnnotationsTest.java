package org.understudy.durability.compiler.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CopiedAnnotationsTest {
  @Test
  void theNamespaceIsThatOfTheUnmodifiedClass() {
    assertEquals("http://shop.example.org/", CopiedAnnotations.namespace("org.example.shop"));
    assertEquals("http://unknown.namespace/", CopiedAnnotations.namespace(""));
  }
}
