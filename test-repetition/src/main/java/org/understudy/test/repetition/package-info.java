/** Tells whoever reads a failed build how to repeat the failed test alone. */
package org.understudy.test.repetition;
