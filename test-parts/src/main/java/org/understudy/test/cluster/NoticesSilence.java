package org.understudy.test.cluster;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test whose replicas must notice that another one is silent, or rest on a time that is a multiple of the suspicion time. Its clusters
 * have the suspicion time of the product. All other clusters suspect a silent replica only after {@link SuspicionTime#OF_TESTS}, so that a
 * busy machine changes no view; they notice a stopped replica at once, because its port refuses connections.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SuspicionTime.class)
public @interface NoticesSilence {
  /** Which silence, or which time. */
  String because();
}
