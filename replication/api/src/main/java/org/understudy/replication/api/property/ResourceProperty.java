package org.understudy.replication.api.property;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Put on a method without parameters of a state object: its result is the value of a resource property. Types are
 * {@link String}, the primitives but {@code char} and their boxes, {@link java.time.Instant}, {@link java.time.Duration},
 * {@link javax.xml.namespace.QName}, enums and {@link org.w3c.dom.Element}; null is no value, and a {@link java.util.List}
 * of one of these any number of values. An {@code Element} is the whole property, name and all.
 *
 * <p>Clients may change it if there is a setter: for {@code getLimit()}, {@code isLimit()} or {@code limit()} a method
 * {@code setLimit} with one parameter of the same type. The setter refuses a value with an
 * {@link IllegalArgumentException}, whose message the client then reads. Called as
 * {@link org.understudy.replication.api.StateCapture} says; getters must change nothing, and several reads may call them at
 * once.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface ResourceProperty {
  /** The local name; without one {@code Limit} for {@code getLimit()}, {@code isLimit()} or {@code limit()}. */
  String value() default "";
}
