package org.understudy.test.strategy;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** In a class {@link ForEachStrategy}: a test of what one strategy does and the others do not. */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Strategies.class)
public @interface OnlyWith {
  /** The name of the strategy. */
  String value();

  /** Why the others do not do it. */
  String because();
}
