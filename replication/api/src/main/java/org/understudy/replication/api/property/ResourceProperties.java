package org.understudy.replication.api.property;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Put on a state object: names its resource property document (WS-ResourceProperties 1.2, section 4). The properties
 * are the methods marked {@link ResourceProperty}, or those of {@link PropertyDocument} if the object implements it.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface ResourceProperties {
  /** Of the document and of its properties. */
  String namespace();

  /** The local name of the document's element, for example {@code CounterProperties}. */
  String document();
}
