/** Code that the tests of several modules share. No product code depends on it. */
package org.understudy.test;
