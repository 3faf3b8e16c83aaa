/** Expressions in their source form: text, dialect and prefixes. Storage does not change them. */
package org.understudy.notification.expression;
