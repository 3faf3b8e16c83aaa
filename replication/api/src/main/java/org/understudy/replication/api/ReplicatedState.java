package org.understudy.replication.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the replicated state of a service, or of a state object, that does not implement {@link StateCapture}.
 *
 * <p>On fields: these fields are the state. On a class: all its fields, also inherited ones, that are neither static nor
 * transient nor injected. The state is captured as one graph: of an object that a marked field reaches, all fields are
 * captured that are neither static nor transient, and shared references and cycles are kept.
 *
 * <p>The declared types decide at deployment which classes a state may contain. A type that cannot be captured fails the
 * deployment with the path to it. Restoring replaces the values of the fields: an object that keeps a reference to an earlier
 * value, for example a view of a collection, does not see the restored one.
 */
@Documented
@Target({ElementType.FIELD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface ReplicatedState {
  /**
   * Classes that fields of an interface, of {@code Object} or of another type with subclasses may hold, beyond the permitted
   * subclasses of sealed types: of the marked field and all that it reaches, or of all fields of the marked class.
   */
  Class<?>[] types() default {};

  /**
   * JAXB classes whose objects are captured as XML, for those that hold what has no captured form of its own, such as a
   * {@code JAXBElement} or any content. Each such object is captured by itself: references into it are not kept.
   */
  Class<?>[] xml() default {};
}
