package org.understudy.replication.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Put on a service class: the topics that it publishes on with {@link ResourceHome#publish}, besides those that every
 * resource property has (WS-Topics 1.3).
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Topics {
  /** The topic namespace of them all. */
  String namespace();

  /** Paths from a root topic on, for example {@code Alarm/Fire}; the topics on the way are topics too. */
  String[] value();
}
