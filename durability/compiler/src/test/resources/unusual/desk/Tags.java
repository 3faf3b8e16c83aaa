package desk;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

@Retention(RetentionPolicy.RUNTIME)
public @interface Tags {
  Tag[] value();

  char mark() default ' ';

  long[] numbers() default {1};

  @interface Tag {
    String value();
  }
}
