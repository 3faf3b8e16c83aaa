package org.understudy.test.cluster;

import java.time.Duration;
import java.util.Properties;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** The suspicion time of clusters that set none. A process runs one test at a time. */
public final class SuspicionTime implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
  /** For tests that do not notice silence. */
  public static final Duration OF_TESTS = Duration.ofSeconds(30);

  private static final String KEY = "understudy.suspect.ms";
  private static volatile boolean ofTheProduct;
  private boolean ofTheClass;

  /** Whether silence is noticed as soon as in production. */
  public static boolean isOfTheProduct() {
    return ofTheProduct;
  }

  /** Sets the key of a replica that has none. */
  static void addTo(Properties settings) {
    if (!ofTheProduct) {
      settings.putIfAbsent(KEY, Long.toString(OF_TESTS.toMillis()));
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    ofTheClass = AnnotationSupport.isAnnotated(context.getTestClass(), NoticesSilence.class);
    ofTheProduct = ofTheClass;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    ofTheProduct = ofTheClass || AnnotationSupport.isAnnotated(context.getTestMethod(), NoticesSilence.class);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    ofTheProduct = ofTheClass;
  }

  @Override
  public void afterAll(ExtensionContext context) {
    ofTheProduct = false;
  }
}
