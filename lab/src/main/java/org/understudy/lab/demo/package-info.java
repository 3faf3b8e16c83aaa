/** The demonstration: a load, kills and a pause, and the accounts afterwards. */
package org.understudy.lab.demo;
